import { serverDocumentSchema } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import type { KeyPrincipal, PlaygroundPrincipal } from '../common/auth/principal.js';
import { CallLog, type CallRecord as LoggedCall } from '../modules/calls/call-log.js';
import type { JobsService } from '../modules/jobs/jobs.service.js';
import { StatelessClients } from '../modules/sessions/view/stateless-clients.js';
import type { HostedServer } from '../modules/tools/catalogue/hosted-servers.js';
import { buildSnapshot } from '../modules/tools/catalogue/snapshot.js';
import { InMemoryCallLimits } from '../modules/usage/in-memory-call-limits.js';
import { InMemoryListenLimits } from '../modules/usage/in-memory-listen-limits.js';
import { LIMIT_EXCEEDED } from './refusals.js';
import { Servings } from './servings.js';

const caller = { client: { revision: '2026-07-28', capabilities: {} }, session: undefined };

const platform = {
  bodyBytes: 1,
  jsonDepth: 1,
  callsPerMinute: undefined,
  concurrentCalls: undefined,
  sessions: 1,
  sessionsPerKey: 1,
  listensPerKey: 1,
  resultBytes: 1,
  jobSlots: 1,
  concurrentJobs: 1,
  queuedJobs: 1,
  jobTimeoutMs: 1,
  jobRetentionMs: 1,
  idempotencyMs: 1,
  slowReaderBytes: 1,
};

function hosted(access: 'key' | 'public' = 'key', tenantLimits = {}): HostedServer {
  const published = {
    tenantId: 't1',
    tenantSlug: 'acme',
    tenantLimits,
    serverId: 's1',
    serverSlug: 'orders',
    revision: 1,
    document: serverDocumentSchema.parse({ name: 'Orders', access }),
  };
  return { published, snapshot: buildSnapshot(published) };
}

function key(more: Partial<KeyPrincipal> = {}): KeyPrincipal {
  return {
    kind: 'key',
    id: 'k1',
    name: 'laptop',
    tenantId: 't1',
    tenantSlug: 'acme',
    scopes: ['mcp:call'],
    servers: [],
    validUntil: undefined,
    ...more,
  };
}

const visitor: PlaygroundPrincipal = {
  kind: 'playground',
  holder: { kind: 'user', id: 'u1' },
  tenantId: 't1',
  serverId: 's1',
  validUntil: 900,
};

function setUp() {
  const logged: LoggedCall[] = [];
  const log = new CallLog({ write: async (records) => void logged.push(...records), onLoss: () => {} });
  const runner = { run: () => ({ content: [] }) };
  const parts = {
    runner,
    promptRunner: { get: () => ({ messages: [] }) },
    resourceRunner: { read: () => ({ contents: [] }) },
    calls: new InMemoryCallLimits(() => 0),
    listens: new InMemoryListenLimits(),
    clients: new StatelessClients(Date.now),
    log,
    observe: () => {},
    now: () => 7,
    jobs: { service: {} as JobsService, nodeId: 'n', onFault: () => {} },
  };
  return { servings: new Servings('https://mcp.example', platform, parts), log, logged };
}

describe('Servings', () => {
  it.each([
    ['nobody', undefined],
    ["another tenant's key", key({ tenantId: 't2' })],
    ['a key for another server', key({ servers: ['billing'] })],
    ['a key without an MCP scope', key({ scopes: ['tenant:write'] })],
    ['a person of the console', { kind: 'user' } as never],
    ["the playground of another tenant's server", { ...visitor, tenantId: 't2' }],
    ['the playground of another server', { ...visitor, serverId: 's2' }],
  ])('has nothing for %s', (_who, principal) => {
    expect(setUp().servings.find(hosted(), principal)).toBeUndefined();
  });

  it('lets anybody in where the server is public, as nobody in particular', () => {
    const { servings } = setUp();
    expect(servings.find(hosted('public'), undefined)?.principal.kind).toBe('anonymous');
    expect(servings.find(hosted('public'), key({ tenantId: 't2' }))?.principal.kind).toBe('anonymous');
    expect(servings.find(hosted('public'), key())?.principal).toMatchObject({ kind: 'key', id: 'k1' });
  });

  it('makes one context per caller and server', () => {
    const { servings } = setUp();
    const server = hosted();
    const caller = key();
    expect(servings.find(server, caller)).toBe(servings.find(server, caller));
    expect(servings.find(hosted(), caller)).not.toBe(servings.find(server, caller));
  });

  it('serves the playground in the name of the person, until the token ends', async () => {
    const { servings, log, logged } = setUp();
    const serving = servings.find(hosted(), visitor);
    expect(serving).toMatchObject({
      owner: 'user:u1',
      principal: { kind: 'user', id: 'u1', scopes: ['mcp:call'] },
      expiresAt: 900,
    });
    expect(serving?.authorize('tools/call')).toBeUndefined();
    serving?.afterCall({
      method: 'tools/call',
      tool: 'get',
      status: 'ok',
      durationMs: 3,
      era: 'stateless',
      revision: '2026-07-28',
      client: { revision: '2026-07-28', capabilities: {} },
      principal: { kind: 'user', id: 'u1', scopes: ['mcp:call'] },
      admitted: false,
    });
    await log.flush();
    expect(logged).toMatchObject([{ principal: 'user:u1', source: 'console' }]);
  });

  it('keeps a reading key from calling, and names the scope it lacks', () => {
    const serving = setUp().servings.find(hosted(), key({ scopes: ['mcp:read'] }));
    expect(serving?.authorize('tools/list')).toBeUndefined();
    expect(serving?.authorize('tools/call')).toMatchObject({ status: 403 });
    for (const method of ['tasks/get', 'tasks/list', 'tasks/result'])
      expect(serving?.authorize(method)).toBeUndefined();
    for (const method of ['tasks/update', 'tasks/cancel']) {
      expect(serving?.authorize(method)).toMatchObject({ status: 403 });
    }
    expect(serving?.authorize('tools/call')?.headers?.['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="mcp:call", resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp/acme/orders"',
    );
  });

  it("refuses the call over the tenant's limit, and frees its place when a call ends", () => {
    const serving = setUp().servings.find(hosted('key', { concurrentCalls: 1 }), key());
    const ended = {
      method: 'tools/call',
      status: 'ok',
      durationMs: 1,
      era: 'stateless',
      revision: '2026-07-28',
      client: { revision: '2026-07-28', capabilities: {} },
      principal: { kind: 'key', id: 'k1', scopes: [] },
      admitted: true,
    } as const;
    expect(serving?.beforeCall('tools/call', undefined, caller)).toBeUndefined();
    expect(serving?.beforeCall('tools/call', undefined, caller)).toMatchObject({ status: 429, code: LIMIT_EXCEEDED });
    serving?.afterCall({ ...ended, status: 'refused', admitted: false });
    expect(serving?.beforeCall('tools/call', undefined, caller)).toMatchObject({ status: 429 });
    serving?.afterCall(ended);
    expect(serving?.beforeCall('tools/call', undefined, caller)).toBeUndefined();
    expect(serving?.beforeCall('tools/list', undefined, caller)).toBeUndefined();
  });

  it('counts prompts and resources as calls, since they may run what a tool may', () => {
    const serving = setUp().servings.find(hosted('key', { concurrentCalls: 1 }), key());
    expect(serving?.beforeCall('prompts/get', undefined, caller)).toBeUndefined();
    expect(serving?.beforeCall('resources/read', undefined, caller)).toMatchObject({
      status: 429,
      code: LIMIT_EXCEEDED,
    });
    expect(serving?.beforeCall('prompts/list', undefined, caller)).toBeUndefined();
  });

  it('writes down who called what, and leaves pings out', async () => {
    const { servings, log, logged } = setUp();
    const serving = servings.find(hosted(), key());
    const record = {
      status: 'ok',
      durationMs: 3,
      era: 'session',
      revision: '2025-11-25',
      client: { name: 'probe', version: '2', revision: '2025-11-25', capabilities: {} },
      principal: { kind: 'key', id: 'k1', scopes: [] },
      sessionId: 'abc',
      admitted: true,
    } as const;
    serving?.afterCall({ ...record, method: 'ping' });
    serving?.afterCall({ ...record, method: 'tools/call', tool: 'get' });
    await log.flush();
    expect(logged).toEqual([
      {
        id: expect.any(String),
        tenantId: 't1',
        server: 'orders',
        finishedAt: 7,
        tool: 'get',
        method: 'tools/call',
        status: 'ok',
        durationMs: 3,
        era: 'session',
        client: 'probe 2',
        principal: 'key:k1',
        sessionId: 'abc',
        source: 'mcp',
      },
    ]);
  });
});
