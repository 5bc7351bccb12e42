import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { useDatabase } from '../../../test/harness/database.js';
import type { LoggedCall } from './call-log.js';
import { CallsRepository } from './calls.repository.js';

const db = useDatabase();
let tenantId: string;
let other: string;
let calls: CallsRepository;

beforeEach(async () => {
  calls = new CallsRepository(db.pool, db.database, 'node-1');
  [tenantId, other] = await Promise.all([newTenant(), newTenant()]);
});

async function newTenant(): Promise<string> {
  const id = randomUUID();
  await db.superuser.query('INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $2)', [id, `t-${id.slice(0, 8)}`]);
  return id;
}

function record(tool: string, finishedAt: number, tenant = tenantId): LoggedCall {
  return {
    id: randomUUID(),
    tenantId: tenant,
    finishedAt,
    server: 'orders',
    tool,
    method: 'tools/call',
    status: 'ok',
    durationMs: 1.5,
    era: 'session',
    client: 'probe "1"',
    principal: 'key:1',
    sessionId: 's1',
    source: 'mcp',
  };
}

it('gives back what was written, newest first, and leaves out what a call does not have', async () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const { sessionId: _, client: __, ...bare } = record('b', at + 1);
  await calls.insert([record('a', at), bare]);
  const [newest, oldest] = await calls.list(tenantId, {}, 10);
  expect(oldest).toEqual({
    id: expect.any(String),
    at: '2026-01-02T03:04:05.678Z',
    server: 'orders',
    tool: 'a',
    method: 'tools/call',
    status: 'ok',
    durationMs: 1.5,
    era: 'session',
    client: 'probe "1"',
    principal: 'key:1',
    node: 'node-1',
    sessionId: 's1',
    source: 'mcp',
  });
  expect(newest).not.toHaveProperty('sessionId');
  expect(newest).not.toHaveProperty('client');
});

it('walks calls of one instant page by page, each once', async () => {
  await calls.insert(['a', 'b', 'c', 'd', 'e'].map((tool) => record(tool, 1_000)));
  const seen: string[] = [];
  let after: { at: Date; id: string } | undefined;
  for (let page = 0; page < 5; page += 1) {
    const rows = await calls.list(tenantId, {}, 2, after);
    seen.push(...rows.map((row) => row.tool ?? ''));
    const last = rows.at(-1);
    if (last !== undefined) after = { at: new Date(last.at), id: last.id };
  }
  expect(seen.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('writes a batch of several tenants, and shows each only its own', async () => {
  await calls.insert([record('mine', 1), record('theirs', 2, other)]);
  expect((await calls.list(tenantId, {}, 10)).map((row) => row.tool)).toEqual(['mine']);
  const [theirs] = await calls.list(other, {}, 10);
  expect(theirs?.tool).toBe('theirs');
  expect(await calls.find(tenantId, theirs?.id ?? '')).toBeUndefined();
  expect(await calls.find(other, theirs?.id ?? '')).toMatchObject({ tool: 'theirs' });
});

it('lets no odd name of a client take the records of others along', async () => {
  const odd = ['nul \0', 'half \ud83d', 'whole 😀'].map((client, at) => ({ ...record('odd', at), client }));
  await calls.insert([...odd, record('theirs', 9, other)]);
  expect((await calls.list(tenantId, {}, 10)).map((row) => row.client)).toEqual([
    'whole 😀',
    'half \ufffd',
    'nul \ufffd',
  ]);
  expect(await calls.list(other, {}, 10)).toHaveLength(1);
});

it('writes a batch once although it comes twice, as when the answer to the first was lost', async () => {
  const batch = [record('a', 1), record('b', 2)];
  await calls.insert(batch);
  await calls.insert(batch);
  expect(await calls.list(tenantId, {}, 10)).toHaveLength(2);
});

it('filters by server, tool, status and session', async () => {
  await calls.insert([
    record('a', 1),
    { ...record('b', 2), status: 'tool_error' },
    { ...record('a', 3), server: 'x', sessionId: 's2' },
  ]);
  const tools = async (filter: Parameters<typeof calls.list>[1]) =>
    (await calls.list(tenantId, filter, 10)).map((row) => `${row.server}/${row.tool}`);
  expect(await tools({ tool: 'a' })).toEqual(['x/a', 'orders/a']);
  expect(await tools({ server: 'orders' })).toEqual(['orders/b', 'orders/a']);
  expect(await tools({ status: 'tool_error' })).toEqual(['orders/b']);
  expect(await tools({ session: 's2' })).toEqual(['x/a']);
});

it('writes nothing of a batch with a row the database refuses, and says so', async () => {
  await expect(calls.insert([record('good', 1), record('bad', 2, randomUUID().slice(1))])).rejects.toThrow();
  expect(await calls.list(tenantId, {}, 10)).toEqual([]);
});
