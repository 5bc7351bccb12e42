import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useNodePair } from '../../test/support/node-pair.js';
import { ModernClient } from '../../test/wire/clients.js';
import { type Answer, refusal } from '../../test/wire/exchange.js';
import { LIMIT_EXCEEDED } from './refusals.js';

const nodes = useNodePair();
const text = 'done';
const echo = { name: 'echo', description: 'Says it.', inputSchema: { type: 'object' }, template: { text } };

/** A tenant with a server, and a client of it at each node. */
async function tenant(slug: string, limits: object = {}): Promise<[ModernClient, ModernClient]> {
  await nodes.admin('POST', '/tenants', { slug, name: slug });
  await nodes.admin('PUT', `/tenants/${slug}/servers/orders`, { name: 'Orders', tools: [echo] });
  await nodes.admin('PATCH', `/tenants/${slug}`, { limits });
  return clientsOf(slug, await newKey(slug));
}

async function newKey(slug: string): Promise<{ id: string; key: string }> {
  const body = { name: 'k', scopes: ['mcp:call'] };
  return (await nodes.admin('POST', `/tenants/${slug}/keys`, body)) as { id: string; key: string };
}

function clientsOf(slug: string, { key }: { key: string }): [ModernClient, ModernClient] {
  const [one, two] = nodes.urls.map((url) => new ModernClient(`${url}/mcp/${slug}/orders`, key));
  return [one as ModernClient, two as ModernClient];
}

const callAll = (clients: readonly ModernClient[], count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => (clients[at % clients.length] as ModernClient).call('echo')));
const passed = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

describe('limits over nodes', () => {
  beforeAll(async () => {
    await tenant('bystander', { callsPerMinute: 500 });
  });

  it('are one budget of calls a minute for a tenant, which a new key does not renew (TEN-02)', async () => {
    const clients = await tenant('budget', { callsPerMinute: 60 });
    const others = clientsOf('bystander', await newKey('bystander'));
    const [answers, theirs] = await Promise.all([callAll(clients, 200), callAll(others, 50)]);
    expect(passed(answers)).toBe(60);
    expect(passed(theirs)).toBe(50);
    const refused = answers.find(({ status }) => status === 429) as Answer;
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
    expect((await refused.result()).error).toMatchObject({
      code: LIMIT_EXCEEDED,
      data: { limit: 'callsPerMinute', max: 60, retryAfterSeconds: Number(refused.headers['retry-after']) },
    });
    expect(passed(await callAll(clientsOf('budget', await newKey('budget')), 20))).toBe(0);
    const key = (await newKey('budget')).id;
    const rotated = (await nodes.admin('POST', `/tenants/budget/keys/${key}/rotate`, {})) as {
      id: string;
      key: string;
    };
    expect(passed(await callAll(clientsOf('budget', rotated), 20))).toBe(0);
    expect(passed(await callAll(others, 50))).toBe(50);
  });

  it('free the place of every call that ends, on whichever node', async () => {
    const [one, two] = await tenant('places', { concurrentCalls: 1 });
    for (let i = 0; i < 20; i += 1) {
      const client = i % 2 === 0 ? one : two;
      // The place is given back after the answer has left.
      await vi.waitFor(async () => expect((await client.call('echo')).status).toBe(200), 10_000);
    }
  });

  it('cap the listen streams of a caller, and a closed one makes room at once (MEM-04)', async () => {
    const [one, two] = await tenant('listens', { listens: 4 });
    const [other] = await tenant('listens-too', { listens: 4 });
    const open = [await one.listen(), await one.listen(), await two.listen(), await two.listen()];
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const fifth = await two.listen();
    expect([fifth.headers['retry-after'], ...(await refusal(fifth))]).toEqual(['5', 429, LIMIT_EXCEEDED]);
    const theirs = await other.listen();
    expect(theirs.status).toBe(200);
    open[0]?.destroy();
    const again = await vi.waitFor(async () => {
      const answer = await two.listen();
      expect(answer.status).toBe(200);
      return answer;
    }, 10_000);
    await nodes.admin('POST', '/tenants/listens/servers/orders/tools', { ...echo, name: 'more' });
    for (const stream of [...open.slice(1), again]) await stream.notified('notifications/tools/list_changed');
    for (const stream of [...open, again, theirs]) stream.destroy();
  });

  it('let nobody past and everybody else go on while Redis is away, and count on when it is back', async () => {
    const [limited] = await tenant('strict', { callsPerMinute: 100, concurrentCalls: 5 });
    const [free] = await tenant('free');
    expect([(await limited.call('echo')).status, (await free.call('echo')).status]).toEqual([200, 200]);
    await nodes.redis.kill();
    try {
      const refused = await limited.call('echo');
      expect([refused.headers['retry-after'], ...(await refusal(refused))]).toEqual(['1', 503, -32603]);
      expect((await limited.listen()).status).toBe(503);
      expect((await free.call('echo')).status).toBe(200);
    } finally {
      await nodes.redis.start();
    }
    await vi.waitFor(async () => expect((await limited.call('echo')).status).toBe(200), 10_000);
    expect((await free.call('echo')).status).toBe(200);
  });
});
