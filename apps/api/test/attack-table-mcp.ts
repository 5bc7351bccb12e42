import { METHOD_NAMES, type MethodName } from '@gantry/mcp-core';
import type { AttackRequest, AttackRow, Expectations } from './attack-table.js';
import { type CallerKind, callerKinds, type World } from './support/world.js';

/** Callers whose credential opens the endpoint. A key for one server is none for another; people call by the console. */
const WELCOME: readonly CallerKind[] = ['callKey', 'mcpReadKey', 'keysKey', 'playgroundToken', 'automation'];
const URL = '/mcp/acme/orders';
const ACCEPT = 'application/json, text/event-stream';
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

interface Exchange {
  readonly era: 'session' | 'stateless';
  readonly params?: Readonly<Record<string, unknown>>;
  readonly accept?: string;
  /** What welcome callers get. */
  readonly status: number;
  readonly others?: Partial<Expectations>;
}

/** What a reading key may do as well, asked for alike in both eras. */
function inBoth(params?: Exchange['params']): readonly Exchange[] {
  return [
    { era: 'session', params, status: 200 },
    { era: 'stateless', params, status: 200 },
  ];
}

const NO_TASK = 'a-task-that-nobody-has';

/** What takes the right to call, asked for alike in each era. */
function byCallers(eras: readonly Exchange['era'][], params: Exchange['params']): readonly Exchange[] {
  return eras.map((era) => ({ era, params, status: 200, others: { mcpReadKey: 403 } }));
}

/** How each method is asked for, in every era that has it. A method without an entry does not compile. */
const exchanges: Readonly<Record<MethodName, readonly Exchange[]>> = {
  initialize: [{ era: 'session', status: 200 }],
  ping: [{ era: 'session', status: 200 }],
  'logging/setLevel': [{ era: 'session', params: { level: 'error' }, status: 200 }],
  'tools/list': inBoth(),
  'tools/call': byCallers(['session', 'stateless'], { name: 'greet', arguments: {} }),
  'resources/list': inBoth(),
  'resources/templates/list': inBoth(),
  'resources/read': inBoth({ uri: 'docs://readme' }),
  'resources/subscribe': [{ era: 'session', params: { uri: 'docs://readme' }, status: 200 }],
  'resources/unsubscribe': [{ era: 'session', params: { uri: 'docs://readme' }, status: 200 }],
  'prompts/list': inBoth(),
  'prompts/get': inBoth({ name: 'greet', arguments: { who: 'Ada' } }),
  'completion/complete': inBoth({
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'who', value: 'A' },
  }),
  'server/discover': [{ era: 'stateless', status: 200 }],
  // Without event streams among what is accepted the answer ends; whoever gets that far may listen.
  'subscriptions/listen': [
    {
      era: 'stateless',
      params: { notifications: { toolsListChanged: true } },
      accept: 'application/json',
      status: 406,
    },
  ],
  'tasks/get': inBoth({ taskId: NO_TASK }),
  'tasks/list': [{ era: 'session', status: 200 }],
  'tasks/result': [{ era: 'session', params: { taskId: NO_TASK }, status: 200 }],
  'tasks/update': byCallers(['stateless'], { taskId: NO_TASK, inputResponses: {} }),
  'tasks/cancel': byCallers(['session', 'stateless'], { taskId: NO_TASK }),
};

export const mcpAttackTable: readonly AttackRow[] = [
  ...METHOD_NAMES.flatMap((method) =>
    exchanges[method].map(
      (exchange): AttackRow => ({
        target: `MCP ${method} (${exchange.era})`,
        covers: ['/mcp/:tenant/:server', '/mcp/:tenant/:server/'],
        request: (world, caller) =>
          exchange.era === 'stateless' ? stateless(method, exchange) : inSession(world, caller, method, exchange),
        expect: welcome(exchange.status, exchange.others),
      }),
    ),
  ),
  {
    target: 'MCP GET without a session',
    covers: [],
    request: () => ({ method: 'GET', url: URL, headers: { accept: 'text/event-stream' } }),
    expect: welcome(400),
  },
  {
    target: "MCP GET of somebody else's session",
    covers: [],
    request: async (world) => ({ method: 'GET', url: URL, headers: await sessionOf(world, 'automation') }),
    expect: welcome(404, { automation: 406 }),
  },
  {
    target: 'MCP DELETE of a session of their own',
    covers: [],
    request: async (world, caller) => ({ method: 'DELETE', url: URL, headers: await sessionOf(world, caller) }),
    expect: welcome(204),
  },
  {
    target: "MCP DELETE of somebody else's session",
    covers: [],
    request: async (world) => ({ method: 'DELETE', url: URL, headers: await sessionOf(world, 'automation') }),
    expect: welcome(404, { automation: 204 }),
  },
  // Who takes no event streams gets no session; whoever gets that far may open one.
  {
    target: 'MCP stream of HTTP+SSE',
    covers: ['/mcp/:tenant/:server/sse', '/mcp/:tenant/:server/sse/'],
    request: () => ({ method: 'GET', url: `${URL}/sse`, headers: { accept: 'application/json' } }),
    expect: welcome(406),
  },
  {
    target: 'MCP message to a session of HTTP+SSE that is not theirs',
    covers: ['/mcp/:tenant/:server/messages', '/mcp/:tenant/:server/messages/'],
    request: () => ({
      method: 'POST',
      url: `${URL}/messages?sessionId=${'f'.repeat(32)}`,
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    }),
    expect: welcome(404),
  },
  {
    target: 'MCP call on a server that is not there',
    covers: [],
    request: () => ({ ...stateless('tools/list', { era: 'stateless', status: 404 }), url: '/mcp/acme/nothing' }),
    // That a server exists is public; nothing else is.
    expect: expectations(() => 404),
  },
  {
    target: 'Metadata of a protected server',
    covers: ['/.well-known/oauth-protected-resource/mcp/:tenant/:server'],
    request: () => ({ method: 'GET', url: `/.well-known/oauth-protected-resource${URL}` }),
    expect: expectations(() => 200),
  },
];

function expectations(of: (caller: CallerKind) => number): Expectations {
  return Object.fromEntries(callerKinds.map((caller) => [caller, of(caller)])) as Expectations;
}

function welcome(status: number, others: Partial<Expectations> = {}): Expectations {
  return expectations((caller) => (WELCOME.includes(caller) ? (others[caller] ?? status) : 401));
}

function stateless(method: MethodName, { params, accept = ACCEPT }: Exchange): AttackRequest {
  const name = params?.name ?? params?.uri ?? params?.taskId;
  return {
    method: 'POST',
    url: URL,
    headers: {
      accept,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
  };
}

async function inSession(
  world: World,
  caller: CallerKind,
  method: MethodName,
  exchange: Exchange,
): Promise<AttackRequest> {
  if (method === 'initialize') return initialize();
  const headers = { accept: ACCEPT, ...(await sessionOf(world, caller)) };
  return { method: 'POST', url: URL, headers, body: { jsonrpc: '2.0', id: 2, method, params: exchange.params ?? {} } };
}

function initialize(): AttackRequest {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'attacker', version: '1' } };
  return {
    method: 'POST',
    url: URL,
    headers: { accept: ACCEPT },
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  };
}

/** Headers of a fresh session of the caller; those who cannot open one send the id they might have guessed. */
async function sessionOf(world: World, caller: CallerKind): Promise<Record<string, string>> {
  const { headers, body } = initialize();
  const opened = await world.api.post(URL, body, { as: world.tokens[caller], headers: { ...headers } });
  const id = opened.headers['mcp-session-id'];
  return { 'mcp-session-id': typeof id === 'string' ? id : 'f'.repeat(32), accept: 'application/json' };
}
