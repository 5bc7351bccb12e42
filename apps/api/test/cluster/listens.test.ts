import { describe, expect, it } from 'vitest';
import { ModernClient } from '../wire/clients.js';
import type { Answer } from '../wire/exchange.js';
import { useNodes } from './world.js';

const world = useNodes({ env: { LIMIT_LISTENS_PER_KEY: '4' } });
const [A, B] = [0, 1];

describe('listen streams of one key', () => {
  it('are capped over all nodes by 429, one that closes frees its place, others are untouched (MEM-04)', async () => {
    const listenAt = (node: number, key = world.key) => new ModernClient(world.at(node), key).listen();
    const open: Answer[] = [];
    for (const node of [A, A, B, B]) open.push(await listenAt(node));
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const over = await listenAt(B);
    expect([over.status, over.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(JSON.parse(await over.body())).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    await world.cluster.tenant('beta');
    await world.cluster.server('beta', 'kinds', { name: 'theirs' });
    const theirs = new ModernClient(
      world.cluster.node(B).mcpUrl('beta', 'kinds'),
      (await world.cluster.key('beta')).key,
    );
    const foreign = await theirs.listen();
    expect(foreign.status).toBe(200);
    open.shift()?.destroy();
    await expect.poll(async () => (await keep(await listenAt(B), open)).status, { timeout: 2_000 }).toBe(200);
    await world.cluster.server('acme', 'kinds', { name: 'kinds', tools: [] });
    for (const stream of open) await stream.notified('notifications/tools/list_changed');
    for (const stream of [...open, foreign]) stream.destroy();
  });

  it('of a node that was killed count no longer, once it is known to be dead', async () => {
    const open: Answer[] = [];
    const { key } = await world.cluster.key('acme');
    const listenAt = (node: number) => new ModernClient(world.at(node), key).listen();
    for (let i = 0; i < 4; i += 1) open.push(await listenAt(A));
    expect((await listenAt(B)).status).toBe(429);
    await world.cluster.node(A).kill();
    await expect
      .poll(async () => (await keep(await listenAt(B), open)).status, { timeout: 20_000, interval: 250 })
      .toBe(200);
    for (const stream of open) stream.destroy();
  });
});

async function keep(answer: Answer, open: Answer[]): Promise<Answer> {
  if (answer.status === 200) open.push(answer);
  else await answer.body();
  return answer;
}
