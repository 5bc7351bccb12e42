import { mcpAttackTable } from './attack-table-mcp.js';
import { type CallerKind, callerKinds, unique, type World } from './support/world.js';

/** One request of an attack; what is absent comes from the row's target. */
export interface AttackRequest {
  readonly method?: string;
  readonly url?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Used in place of the caller's usual credential. */
  readonly token?: string | null;
}

export type Expectations = Readonly<Record<CallerKind, number>>;

export interface AttackRow {
  /** A route as it is registered ("GET /api/v1/tenants/:tenant"), or any other name where `request` says all. */
  readonly target: string;
  /** Routes ("METHOD url", or a url for all its methods) that this row answers for; its own target by default. */
  readonly covers?: readonly string[];
  /** Made anew for each caller, so that there is something left to delete. */
  readonly request?: (world: World, caller: CallerKind) => AttackRequest | Promise<AttackRequest>;
  readonly expect: Expectations;
}

/** A playground token opens MCP endpoints and nothing here. */
const UNKNOWN = ['nobody', 'badToken', 'revokedKey', 'expiredKey', 'playgroundToken'] as const;
const OUTSIDERS = ['foreignKey', 'stranger'] as const;

function expectations(of: (caller: CallerKind) => number): Expectations {
  return Object.fromEntries(callerKinds.map((caller) => [caller, of(caller)])) as Expectations;
}

/** Everybody gets the same, whoever they are. */
function everybody(status: number): Expectations {
  return expectations(() => status);
}

/** Whoever is known gets one status; the rest 401. */
function known(status: number, others: Partial<Expectations> = {}): Expectations {
  return expectations((caller) => others[caller] ?? (includes(UNKNOWN, caller) ? 401 : status));
}

/** On the platform: the allowed get `status`, whoever else is known 403. */
function onPlatform(status: number, allowed: string): Expectations {
  const who = allowed.split(' ');
  return known(403, Object.fromEntries(who.map((caller) => [caller, status])));
}

/** In `acme`: the allowed get `status`, others who may know the tenant 403, outsiders 404. */
function inTenant(status: number, allowed: string, others: Partial<Expectations> = {}): Expectations {
  const who = allowed.split(' ');
  return expectations((caller) => {
    if (others[caller] !== undefined) return others[caller];
    if (includes(UNKNOWN, caller)) return 401;
    if (includes(OUTSIDERS, caller)) return 404;
    return who.includes(caller) ? status : 403;
  });
}

function includes(list: readonly string[], item: string): boolean {
  return list.includes(item);
}

const tool = { description: 'Says.', inputSchema: { type: 'object' }, template: { text: 'Hi' } };
const people = 'viewer developer admin owner operator auditor automation';
const readers = `${people} readKey writeKey narrowKey`;
const makers = 'developer admin owner automation writeKey';
const enders = `${makers} operator`;
const HIDDEN = { narrowKey: 404 };

/** Single items of a server, beside its tools: where they live, how one is named there, and a body to add. */
const nouns = [
  ['prompts', 'name', () => ({ name: unique(), description: 'Says.', messages: [] })],
  ['resources', 'uri', () => ({ uri: `docs://${unique()}`, name: 'R', description: 'Says.', text: 'Hi' })],
  [
    'resourceTemplates',
    'uriTemplate',
    () => ({ uriTemplate: `docs://${unique()}/{page}`, name: 'R', description: 'Says.', text: 'Hi' }),
  ],
] as const;

function itemRows([noun, key, fresh]: (typeof nouns)[number]): AttackRow[] {
  const list = `/api/v1/tenants/:tenant/servers/:server/${noun}`;
  const live = `/api/v1/tenants/acme/servers/orders/${noun}`;
  const idOf = (item: Readonly<Record<string, unknown>>) => encodeURIComponent(String(item[key]));
  return [
    { target: `GET ${list}`, expect: inTenant(200, readers, HIDDEN) },
    { target: `POST ${list}`, request: () => ({ body: fresh() }), expect: inTenant(201, makers, HIDDEN) },
    { target: `GET ${list}/:${key}`, expect: inTenant(200, readers, HIDDEN) },
    {
      target: `PUT ${list}/:${key}`,
      request: () => {
        const body = fresh();
        return { url: `${live}/${idOf(body)}`, body };
      },
      expect: inTenant(201, makers, HIDDEN),
    },
    {
      target: `PATCH ${list}/:${key}`,
      request: () => ({ body: { title: 'Greets' } }),
      expect: inTenant(200, makers, HIDDEN),
    },
    {
      target: `DELETE ${list}/:${key}`,
      request: async (world) => ({ url: `${live}/${idOf(await world.freshItem(noun, fresh()))}` }),
      expect: inTenant(204, makers, HIDDEN),
    },
  ];
}

/** What each kind of caller gets at each door. A route without a row fails the build. */
export const attackTable: readonly AttackRow[] = [
  { target: 'GET /healthz', expect: everybody(200) },
  { target: 'GET /readyz', expect: everybody(200) },
  { target: 'GET /api/openapi.json', expect: everybody(200) },
  { target: 'GET /api/docs', expect: everybody(200) },
  { target: 'GET /api/v1/setup', expect: everybody(200) },
  {
    target: 'POST /api/v1/setup',
    request: () => ({
      body: { adminToken: 'guess', email: 'a@example.com', name: 'A', password: 'correct horse battery' },
    }),
    expect: everybody(409),
  },
  {
    target: 'POST /api/v1/auth/sign-in',
    request: () => ({ body: { email: `${unique()}@example.com`, password: 'wrong' } }),
    expect: everybody(401),
  },
  {
    target: 'POST /api/v1/auth/sign-out',
    request: async (world, caller) => ({ token: await world.freshToken(caller) }),
    expect: known(204, {
      foreignKey: 400,
      callKey: 400,
      mcpReadKey: 400,
      readKey: 400,
      writeKey: 400,
      keysKey: 400,
      narrowKey: 400,
      automation: 400,
    }),
  },
  { target: 'GET /api/v1/me', expect: known(200) },

  // Without a topic there is nothing to watch: who may watch which is told where streams are.
  { target: 'GET /api/v1/stream', expect: known(400) },

  { target: 'GET /api/v1/nodes', expect: onPlatform(200, 'operator auditor automation') },
  // Of no node: whoever may, learns that there is none.
  { target: 'POST /api/v1/nodes/:node/drain', expect: onPlatform(404, 'operator automation') },
  { target: 'POST /api/v1/nodes/:node/undrain', expect: onPlatform(404, 'operator automation') },

  { target: 'GET /api/v1/tenants', expect: known(200, { callKey: 403, mcpReadKey: 403, keysKey: 403 }) },
  {
    target: 'POST /api/v1/tenants',
    request: () => ({ body: { slug: unique(), name: 'New' } }),
    expect: onPlatform(201, 'operator automation'),
  },
  { target: 'GET /api/v1/tenants/:tenant', expect: inTenant(200, readers) },
  {
    target: 'PATCH /api/v1/tenants/:tenant',
    request: () => ({ body: { name: 'acme' } }),
    expect: inTenant(200, 'admin owner automation writeKey'),
  },
  {
    target: 'PATCH /api/v1/tenants/:tenant limits',
    request: () => ({ method: 'PATCH', url: '/api/v1/tenants/acme', body: { limits: {} } }),
    expect: inTenant(200, 'operator automation'),
  },
  {
    target: 'DELETE /api/v1/tenants/:tenant',
    // Keys live in acme: they attack their own tenant, and none of them may.
    request: async (world, caller) => ({
      url: `/api/v1/tenants/${caller.endsWith('Key') ? 'acme' : await world.freshTenant()}`,
    }),
    expect: inTenant(204, 'owner operator automation'),
  },

  { target: 'GET /api/v1/tenants/:tenant/audit', expect: inTenant(200, 'admin owner operator auditor automation') },

  { target: 'GET /api/v1/tenants/:tenant/servers', expect: inTenant(200, readers) },
  { target: 'GET /api/v1/tenants/:tenant/servers/:server', expect: inTenant(200, readers, HIDDEN) },
  {
    target: 'PUT /api/v1/tenants/:tenant/servers/:server',
    request: () => ({ url: `/api/v1/tenants/acme/servers/${unique()}`, body: { name: 'New' } }),
    expect: inTenant(201, makers, HIDDEN),
  },
  {
    target: 'DELETE /api/v1/tenants/:tenant/servers/:server',
    request: async (world) => ({ url: `/api/v1/tenants/acme/servers/${await world.freshServer()}` }),
    expect: inTenant(204, 'admin owner automation writeKey', HIDDEN),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/servers/:server/publish',
    request: () => ({ body: {} }),
    expect: inTenant(200, makers, HIDDEN),
  },
  { target: 'GET /api/v1/tenants/:tenant/servers/:server/revisions', expect: inTenant(200, readers, HIDDEN) },
  {
    target: 'POST /api/v1/tenants/:tenant/servers/:server/revisions/:number/rollback',
    request: () => ({ url: '/api/v1/tenants/acme/servers/orders/revisions/1/rollback' }),
    expect: inTenant(200, makers, HIDDEN),
  },

  { target: 'GET /api/v1/tenants/:tenant/servers/:server/tools', expect: inTenant(200, readers, HIDDEN) },
  {
    target: 'POST /api/v1/tenants/:tenant/servers/:server/tools',
    request: () => ({ body: { name: unique(), ...tool } }),
    expect: inTenant(201, makers, HIDDEN),
  },
  { target: 'GET /api/v1/tenants/:tenant/servers/:server/tools/:name', expect: inTenant(200, readers, HIDDEN) },
  {
    target: 'PUT /api/v1/tenants/:tenant/servers/:server/tools/:name',
    request: () => ({ url: `/api/v1/tenants/acme/servers/orders/tools/${unique()}`, body: tool }),
    expect: inTenant(201, makers, HIDDEN),
  },
  {
    target: 'PATCH /api/v1/tenants/:tenant/servers/:server/tools/:name',
    request: () => ({ body: { title: 'Greets' } }),
    expect: inTenant(200, makers, HIDDEN),
  },
  {
    target: 'DELETE /api/v1/tenants/:tenant/servers/:server/tools/:name',
    request: async (world) => ({ url: `/api/v1/tenants/acme/servers/orders/tools/${await world.freshTool()}` }),
    expect: inTenant(204, makers, HIDDEN),
  },

  ...nouns.flatMap(itemRows),
  {
    target: 'POST /api/v1/tenants/:tenant/servers/:server/notify',
    request: () => ({ body: { resourceUpdated: 'docs://readme' } }),
    expect: inTenant(202, makers, HIDDEN),
  },

  {
    target: 'POST /api/v1/tenants/:tenant/servers/:server/tools/:name/try',
    request: () => ({ body: { arguments: { who: 'Ada' } } }),
    expect: inTenant(200, makers, HIDDEN),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/servers/:server/prompts/:name/try',
    request: () => ({ body: { arguments: { who: 'Ada' } } }),
    expect: inTenant(200, makers, HIDDEN),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/servers/:server/resources/try',
    request: () => ({ body: { uri: 'docs://readme' } }),
    expect: inTenant(200, makers, HIDDEN),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/servers/:server/playground-token',
    // Keys open endpoints themselves: none of them gets one, also where it could not see the server.
    expect: inTenant(201, 'developer admin owner automation'),
  },
  { target: 'GET /api/v1/tenants/:tenant/calls', expect: inTenant(200, `${people} readKey writeKey`) },
  {
    target: 'GET /api/v1/tenants/:tenant/calls/:id',
    // There is no such call; who may not even look gets 403.
    expect: inTenant(404, `${people} readKey writeKey`),
  },

  { target: 'GET /api/v1/tenants/:tenant/jobs', expect: inTenant(200, `${people} readKey writeKey`) },
  { target: 'GET /api/v1/tenants/:tenant/job-queue', expect: inTenant(200, `${people} readKey writeKey`) },
  {
    target: 'GET /api/v1/tenants/:tenant/jobs/:id',
    request: async (world) => ({ url: `/api/v1/tenants/acme/jobs/${await world.finishedJob()}` }),
    expect: inTenant(200, `${people} readKey writeKey`),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/jobs/:id/cancel',
    request: async (world) => ({ url: `/api/v1/tenants/acme/jobs/${await world.finishedJob()}/cancel`, body: {} }),
    // It is over: whoever may, learns that.
    expect: inTenant(409, enders),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/jobs/:id/retry',
    request: async (world) => ({ url: `/api/v1/tenants/acme/jobs/${await world.finishedJob()}/retry` }),
    expect: inTenant(201, makers, HIDDEN),
  },

  { target: 'GET /api/v1/tenants/:tenant/sessions', expect: inTenant(200, `${people} readKey writeKey`) },
  // Of no session: whoever may, learns that there is none.
  { target: 'GET /api/v1/tenants/:tenant/sessions/:id', expect: inTenant(404, `${people} readKey writeKey`) },
  { target: 'GET /api/v1/tenants/:tenant/sessions/:id/messages', expect: inTenant(404, `${people} readKey writeKey`) },
  { target: 'DELETE /api/v1/tenants/:tenant/sessions/:id', expect: inTenant(404, enders) },
  { target: 'POST /api/v1/tenants/:tenant/sessions/:id/calls/:call/cancel', expect: inTenant(404, enders) },

  {
    target: 'GET /api/v1/tenants/:tenant/keys',
    expect: inTenant(200, 'developer admin owner operator automation keysKey narrowKey'),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/keys',
    request: () => ({ body: { name: 'new', scopes: ['mcp:call'] } }),
    // The narrowed key asks for every server, which is more than it has.
    expect: inTenant(201, 'developer admin owner automation keysKey'),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/keys beyond its own scopes',
    request: () => ({
      method: 'POST',
      url: '/api/v1/tenants/acme/keys',
      body: { name: 'new', scopes: ['tenant:write', 'keys:write'] },
    }),
    expect: inTenant(201, 'admin owner automation'),
  },
  {
    target: 'GET /api/v1/tenants/:tenant/keys/:id',
    request: async (world, caller) => ({ url: `/api/v1/tenants/acme/keys/${await world.freshKey(caller)}` }),
    expect: inTenant(200, 'developer admin owner operator automation keysKey', HIDDEN),
  },
  {
    target: 'DELETE /api/v1/tenants/:tenant/keys/:id',
    request: async (world, caller) => ({ url: `/api/v1/tenants/acme/keys/${await world.freshKey(caller)}` }),
    expect: inTenant(204, 'developer admin owner operator automation keysKey', HIDDEN),
  },
  {
    target: "DELETE /api/v1/tenants/:tenant/keys/:id of somebody else's making",
    request: async (world) => ({
      method: 'DELETE',
      url: `/api/v1/tenants/acme/keys/${await world.freshKey()}`,
    }),
    expect: inTenant(204, 'admin owner operator automation keysKey', { ...HIDDEN, developer: 404 }),
  },
  {
    target: 'POST /api/v1/tenants/:tenant/keys/:id/rotate',
    request: async (world, caller) => ({
      url: `/api/v1/tenants/acme/keys/${await world.freshKey(caller)}/rotate`,
      body: {},
    }),
    expect: inTenant(200, 'developer admin owner automation keysKey', HIDDEN),
  },

  {
    target: 'GET /api/v1/tenants/:tenant/secrets',
    expect: inTenant(200, 'developer admin owner automation readKey writeKey'),
  },
  {
    target: 'PUT /api/v1/tenants/:tenant/secrets/:name',
    request: () => ({ body: { value: 'v', hosts: ['api.example.com'] } }),
    expect: inTenant(204, 'admin owner automation writeKey'),
  },
  {
    target: 'DELETE /api/v1/tenants/:tenant/secrets/:name',
    request: async (world) => ({ url: `/api/v1/tenants/acme/secrets/${await world.freshSecret()}` }),
    expect: inTenant(204, 'admin owner automation writeKey'),
  },
  ...mcpAttackTable,
];
