import type { GantryNode } from '@gantry/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../scripts/lib/redis.mjs';
import { type Api, openApi, useApi } from '../../../test/harness/api.js';
import { addPerson, openSession } from '../../../test/support/world.js';
import { NodeCalls } from '../../infra/nodes/node-calls.js';
import { NODE_ID } from '../../infra/tokens.js';

const SOON = 10_000;
const idOf = (api: Api) => api.app.nest.get<string>(NODE_ID);
const nodesOf = async (api: Api, query = '') => (await api.get(`/api/v1/nodes${query}`)).json().items as GantryNode[];
const stateOf = async (api: Api, id: string) => (await nodesOf(api)).find((node) => node.id === id)?.state;

async function auditOf(api: Api): Promise<unknown[]> {
  const { rows } = await api.db.superuser.query(
    `SELECT actor, action, object FROM audit_entries WHERE action LIKE 'node.%' ORDER BY id`,
  );
  return rows;
}

describe('a node that is alone', () => {
  const api = useApi();

  it('shows itself, with what it holds and how it is', async () => {
    const [node, ...others] = await nodesOf(api);
    expect(others).toEqual([]);
    expect(node).toMatchObject({
      id: idOf(api),
      role: 'all',
      url: 'http://127.0.0.1:4000',
      state: 'ready',
      sessions: 0,
      streams: 0,
      listens: 0,
      inFlight: 0,
      answering: true,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      rssBytes: expect.any(Number),
    });
  });

  it('is drained and brought back by an operator, which the trail keeps', async () => {
    const operator = await openSession(api, await addPerson(api, 'operator'));
    const id = idOf(api);
    const drained = await api.post(`/api/v1/nodes/${id}/drain`, undefined, { as: operator });
    expect([drained.statusCode, drained.json()]).toMatchObject([200, { id, state: 'draining' }]);
    const unready = await api.get('/readyz');
    expect([unready.statusCode, unready.json()]).toMatchObject([
      503,
      { status: 'not_ready', dependencies: { drain: { ok: false } } },
    ]);
    expect(await stateOf(api, id)).toBe('draining');
    expect((await api.post(`/api/v1/nodes/${id}/drain`, undefined, { as: operator })).json().state).toBe('draining');
    const back = await api.post(`/api/v1/nodes/${id}/undrain`, undefined, { as: operator });
    expect([back.statusCode, back.json().state]).toEqual([200, 'ready']);
    expect((await api.get('/readyz')).statusCode).toBe(200);
    const object = `node/${id}`;
    expect(await auditOf(api)).toMatchObject([
      { actor: expect.stringMatching(/^user:/), action: 'node.drain', object },
      { action: 'node.drain', object },
      { action: 'node.undrain', object },
    ]);
  });

  it('is seen by auditors, who may not drain it', async () => {
    const auditor = await openSession(api, await addPerson(api, 'auditor'));
    expect((await api.get('/api/v1/nodes', { as: auditor })).statusCode).toBe(200);
    for (const verb of ['drain', 'undrain']) {
      expect((await api.post(`/api/v1/nodes/${idOf(api)}/${verb}`, undefined, { as: auditor })).statusCode).toBe(403);
    }
  });

  it('knows no other', async () => {
    const answer = await api.post('/api/v1/nodes/nobody/drain');
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
  });

  it('does not come back from stopping', async () => {
    const other = await openApi();
    try {
      other.app.readiness.drain();
      const answer = await other.post(`/api/v1/nodes/${idOf(other)}/undrain`);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict']);
      expect((await other.get('/readyz')).json().dependencies.shutdown.ok).toBe(false);
    } finally {
      await other.close();
    }
  });
});

describe('nodes on one Redis', () => {
  let redis: RedisServer;
  let a: Api;
  let b: Api;
  beforeAll(async () => {
    redis = await startTemporaryRedis();
    const config = { redisUrls: [redis.url] };
    [a, b] = await Promise.all([openApi({ config }), openApi({ config })]);
  }, 60_000);
  afterAll(async () => {
    await a?.close();
    await b?.close();
    await redis?.stop();
  });

  it('are listed by each of them, page by page', async () => {
    for (const node of [a, b]) {
      await vi.waitFor(
        async () => expect((await nodesOf(node)).map(({ id }) => id).sort()).toEqual([idOf(a), idOf(b)].sort()),
        SOON,
      );
    }
    const first = (await a.get('/api/v1/nodes?limit=1')).json();
    const second = (await b.get(`/api/v1/nodes?limit=1&cursor=${first.nextCursor}`)).json();
    expect([...first.items, ...second.items].map(({ id }: GantryNode) => id).sort()).toEqual([idOf(a), idOf(b)].sort());
    expect(second.nextCursor).toBeUndefined();
    expect((await a.get('/api/v1/nodes?cursor=bogus')).statusCode).toBe(400);
  });

  it('are drained by another, which answers when the node itself has confirmed', async () => {
    const answer = await a.post(`/api/v1/nodes/${idOf(b)}/drain`);
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { id: idOf(b), state: 'draining' }]);
    expect((await b.get('/readyz')).json()).toMatchObject({ status: 'not_ready' });
    expect((await a.get('/readyz')).json()).toEqual({
      status: 'ready',
      dependencies: { postgres: { ok: true }, redis: { ok: true } },
    });
    await vi.waitFor(async () => expect(await stateOf(a, idOf(b))).toBe('draining'), SOON);
    expect((await a.post(`/api/v1/nodes/${idOf(b)}/undrain`)).json().state).toBe('ready');
    expect((await b.get('/readyz')).statusCode).toBe(200);
  });

  it('are told apart when they do not confirm and when they are gone', async () => {
    const c = await openApi({ config: { redisUrls: [redis.url] } });
    const id = idOf(c);
    // It lives and hears nothing.
    c.app.nest.get(NodeCalls).close();
    await vi.waitFor(async () => expect(await stateOf(a, id)).toBe('ready'), SOON);
    const silent = await a.post(`/api/v1/nodes/${id}/drain`);
    expect([silent.statusCode, silent.json().code]).toEqual([504, 'node_silent']);
    expect(await auditOf(a)).toContainEqual({ actor: 'automation', action: 'node.drain', object: `node/${id}` });
    await c.close();
    const gone = await a.post(`/api/v1/nodes/${id}/drain`);
    expect([gone.statusCode, gone.json().code, await stateOf(b, id)]).toEqual([409, 'conflict', 'gone']);
  }, 30_000);
});
