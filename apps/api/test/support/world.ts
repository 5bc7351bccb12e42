import { randomUUID } from 'node:crypto';
import type { MemberRole, PlatformRole } from '@gantry/contracts';
import { mintSessionToken, sha256 } from '../../src/infra/crypto/index.js';
import { ADMIN_TOKEN, type Api } from '../harness/api.js';

/** Everybody who may stand at a door, with what they hold on tenant `acme`. */
export const callerKinds = [
  'nobody',
  'badToken',
  'revokedKey',
  'expiredKey',
  'foreignKey',
  'stranger',
  'callKey',
  'mcpReadKey',
  'readKey',
  'writeKey',
  'keysKey',
  'narrowKey',
  'playgroundToken',
  'viewer',
  'developer',
  'admin',
  'owner',
  'operator',
  'auditor',
  'automation',
] as const;
export type CallerKind = (typeof callerKinds)[number];

const memberRoles: readonly MemberRole[] = ['viewer', 'developer', 'admin', 'owner'];
const platformRoles: readonly PlatformRole[] = ['operator', 'auditor'];

/** Two tenants, people in every role, keys of every kind, and a server with a tool. */
export interface World {
  readonly api: Api;
  /** Credentials by caller; null for none. */
  readonly tokens: Readonly<Record<CallerKind, string | null>>;
  /** Another console session of a person, or the caller's usual credential. */
  freshToken(caller: CallerKind): Promise<string | null>;
  /** A tenant in which the same people have the same roles. Keys of `acme` are strangers to it. */
  freshTenant(): Promise<string>;
  freshServer(): Promise<string>;
  freshTool(): Promise<string>;
  /** Adds an item to a list of the server \`orders\`, and gives it back. */
  freshItem(noun: string, item: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  freshSecret(): Promise<string>;
  /** A job of the server `orders` that is over. */
  finishedJob(): Promise<string>;
  /** Made by the caller, if people may have made it. */
  freshKey(by?: CallerKind): Promise<string>;
}

const greet = {
  description: 'Greets.',
  inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
  template: { text: 'Hello {who}' },
};

/** One of everything else that a server offers. */
const others = {
  prompts: [
    {
      name: 'greet',
      description: 'Greets.',
      arguments: [{ name: 'who', required: true, complete: ['Ada', 'Alan'] }],
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet {who}' } }],
    },
  ],
  resources: [{ uri: 'docs://readme', name: 'Readme', description: 'Read it.', text: '# Hi' }],
  resourceTemplates: [
    { uriTemplate: 'docs://{page}/{part}', name: 'Page', description: 'A part.', text: '{part} of {page}' },
  ],
};

export async function buildWorld(api: Api): Promise<World> {
  for (const slug of ['acme', 'rival']) await must(api.post('/api/v1/tenants', { slug, name: slug }));
  const tools = [
    { name: 'greet', ...greet },
    { name: 'report', ...greet, execution: 'job' },
  ];
  const orders = { name: 'Orders', tools, ...others };
  for (const url of ['/api/v1/tenants/acme/servers/orders', '/api/v1/tenants/acme/servers/elsewhere']) {
    await must(api.put(url, orders));
  }
  await must(api.put('/api/v1/tenants/rival/servers/orders', orders));
  const people = new Map<CallerKind, string>();
  for (const role of [...memberRoles, ...platformRoles, 'stranger'] as const)
    people.set(role, await addPerson(api, role));
  await join(api, 'acme', people);
  const key = (body: object, tenant = 'acme') => mintKey(api, tenant, body);
  const revoked = await key({ scopes: ['mcp:call', 'tenant:write'] });
  await must(api.delete(`/api/v1/tenants/acme/keys/${revoked.id}`));
  const expired = await key({ scopes: ['mcp:call', 'tenant:write'] });
  await api.db.superuser.query(`UPDATE api_keys SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
    expired.id,
  ]);
  const everything = ['mcp:call', 'tenant:read', 'tenant:write', 'keys:write'];
  const tokens: Record<CallerKind, string | null> = {
    nobody: null,
    badToken: 'not-a-credential',
    revokedKey: revoked.key,
    expiredKey: expired.key,
    foreignKey: (await key({ scopes: everything }, 'rival')).key,
    stranger: '',
    callKey: (await key({ scopes: ['mcp:call'] })).key,
    mcpReadKey: (await key({ scopes: ['mcp:read'] })).key,
    readKey: (await key({ scopes: ['tenant:read'] })).key,
    writeKey: (await key({ scopes: ['tenant:write'] })).key,
    keysKey: (await key({ scopes: ['keys:write', 'mcp:call'] })).key,
    narrowKey: (await key({ scopes: everything, servers: ['elsewhere'] })).key,
    playgroundToken: '',
    viewer: '',
    developer: '',
    admin: '',
    owner: '',
    operator: '',
    auditor: '',
    automation: ADMIN_TOKEN,
  };
  for (const [role, id] of people) tokens[role] = await openSession(api, id);
  const opened = api.post('/api/v1/tenants/acme/servers/orders/playground-token', undefined, { as: tokens.developer });
  tokens.playgroundToken = (await must(opened)).json().token;
  let finished: Promise<string> | undefined;
  return {
    api,
    tokens,
    freshToken: async (caller) => {
      const id = people.get(caller);
      return id === undefined ? tokens[caller] : openSession(api, id);
    },
    async freshTenant() {
      const slug = unique();
      await must(api.post('/api/v1/tenants', { slug, name: slug }));
      await join(api, slug, people);
      return slug;
    },
    async freshServer() {
      const slug = unique();
      await must(api.put(`/api/v1/tenants/acme/servers/${slug}`, { name: slug }));
      return slug;
    },
    async freshTool() {
      const name = unique();
      await must(api.post('/api/v1/tenants/acme/servers/orders/tools', { name, ...greet }));
      return name;
    },
    async freshItem(noun, item) {
      await must(api.post(`/api/v1/tenants/acme/servers/orders/${noun}`, item));
      return item;
    },
    async freshSecret() {
      const name = unique().toUpperCase();
      await must(api.put(`/api/v1/tenants/acme/secrets/${name}`, { value: 'x', hosts: ['api.example.com'] }));
      return name;
    },
    async finishedJob() {
      finished ??= cancelledJob(api, tokens.callKey as string);
      return finished;
    },
    async freshKey(by) {
      const as = by && ['developer', 'admin', 'owner'].includes(by) ? tokens[by] : ADMIN_TOKEN;
      return (await mintKey(api, 'acme', { scopes: ['mcp:call'] }, as)).id;
    },
  };
}

/** Begins a job as a task and cancels it, which takes no worker; gives its id. */
async function cancelledJob(api: Api, as: string): Promise<string> {
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };
  const params = { name: 'report', arguments: { who: 'Ada' }, _meta };
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': 'report',
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { taskId } = (await must(api.post('/mcp/acme/orders', call, { as, headers }))).json().result;
  await must(api.post(`/api/v1/tenants/acme/jobs/${taskId}/cancel`, {}));
  return taskId;
}

/** A name no other test uses; fits slugs, tools and, in capitals, secrets. */
export function unique(): string {
  return `x${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

async function mintKey(
  api: Api,
  tenant: string,
  body: object,
  as: string | null = ADMIN_TOKEN,
): Promise<{ id: string; key: string }> {
  return (await must(api.post(`/api/v1/tenants/${tenant}/keys`, { name: 'test', ...body }, { as }))).json();
}

/** A person as the database knows them. Nobody signs in by this password hash. */
export async function addPerson(api: Api, role: MemberRole | PlatformRole | 'stranger'): Promise<string> {
  const id = randomUUID();
  await api.db.superuser.query(
    `INSERT INTO users (id, email, name, password_hash, platform_role) VALUES ($1, $2, $3, 'none', $4)`,
    [id, `${role}-${id}@example.com`, role, (platformRoles as readonly string[]).includes(role) ? role : null],
  );
  return id;
}

export async function addMember(api: Api, tenant: string, userId: string, role: MemberRole): Promise<void> {
  await api.db.superuser.query(
    `INSERT INTO memberships (tenant_id, user_id, role) SELECT id, $2, $3 FROM tenants WHERE slug = $1`,
    [tenant, userId, role],
  );
}

/** The token of a new console session. */
export async function openSession(api: Api, userId: string): Promise<string> {
  const token = mintSessionToken();
  await api.db.superuser.query(
    `INSERT INTO user_sessions (id, user_id, token_hash, expires_at) VALUES ($1, $2, $3, now() + interval '1 hour')`,
    [randomUUID(), userId, Buffer.from(sha256(token))],
  );
  return token;
}

async function join(api: Api, tenant: string, people: ReadonlyMap<CallerKind, string>): Promise<void> {
  for (const role of memberRoles) await addMember(api, tenant, people.get(role) as string, role);
}

async function must(answer: ReturnType<Api['call']>): ReturnType<Api['call']> {
  const done = await answer;
  if (done.statusCode >= 300) throw new Error(`arranging failed: ${done.statusCode} ${done.body}`);
  return done;
}
