import type { SessionKey } from '@gantry/mcp-core';
import { FakeClock } from '@gantry/mcp-core/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../../scripts/lib/redis.mjs';
import { Heard, LogNode, WIDE } from '../../../../test/support/log-nodes.js';
import { sessionTag } from '../session-keys.js';
import { LogRedis } from './log-redis.js';
import { MOVED_ON, OPEN } from './log-scripts.js';
import { streamId } from './stream-id.js';

let redis: RedisServer;
const nodes: LogNode[] = [];

beforeAll(async () => {
  redis = await startTemporaryRedis();
});
afterEach(() => {
  for (const node of nodes.splice(0)) node.stop();
});
afterAll(() => redis.stop());

/** A call that runs on one node and is shown by another, which goes by the clock. */
async function setUp(requests: Array<string | number>) {
  const clock = new FakeClock();
  const [dying, shower, other] = await Promise.all([1, 2, 3].map(() => LogNode.start([redis.url], { clock })));
  const three = [dying, shower, other] as [LogNode, LogNode, LogNode];
  nodes.push(...three);
  const key = await three[0].session();
  three[0].log.open(key, 's', { ...WIDE, call: { node: three[0].id, requests } });
  await three[0].log.append(key, 's', '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}');
  return { clock, nodes: three, key };
}

const unknown = (id: string | number) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: 'Outcome unknown: the node that ran this request has stopped' },
  });

const readAll = async (node: LogNode, key: SessionKey) =>
  (await node.log.readAfter(key, 's', 1))?.events.map(({ data }) => data);

describe('calls whose node has stopped', () => {
  it('are answered at once where they are shown', async () => {
    const {
      nodes: [dead, shower],
      key,
    } = await setUp([7]);
    const heard = new Heard();
    await shower.log.follow(key, 's', 1, heard);
    shower.live.die(dead.id);
    expect(await heard.until(2)).toEqual([`2:${unknown(7)}`, 'end']);
    // The node was only slow: what it has to say comes too late.
    expect(await dead.log.append(key, 's', '{"jsonrpc":"2.0","id":7,"result":{}}', true)).toBeUndefined();
  });

  it('are answered to the client that asks for the rest later', async () => {
    const {
      nodes: [dead, shower],
      key,
    } = await setUp(['a']);
    shower.live.die(dead.id);
    const heard = new Heard();
    await shower.log.follow(key, 's', 1, heard);
    expect(await heard.until(2)).toEqual([`2:${unknown('a')}`, 'end']);
  });

  it('are answered with the next look when the news did not come through', async () => {
    const {
      clock,
      nodes: [dead, shower],
      key,
    } = await setUp([1]);
    const heard = new Heard();
    await shower.log.follow(key, 's', 1, heard);
    shower.live.die(dead.id, true);
    clock.advance(10_000);
    expect(await heard.until(2)).toEqual([`2:${unknown(1)}`, 'end']);
  });

  it('are answered once, though two nodes notice', async () => {
    for (let round = 0; round < 20; round++) {
      const {
        nodes: [dead, shower, other],
        key,
      } = await setUp([1, 2]);
      const [first, second] = [new Heard(), new Heard()];
      await shower.log.follow(key, 's', 1, first);
      // The first is told that it was taken only after both have begun.
      other.live.die(dead.id);
      const following = other.log.follow(key, 's', 1, second);
      shower.live.die(dead.id);
      await following;
      expect(await second.until(3)).toEqual([`2:${unknown(1)}`, `3:${unknown(2)}`, 'end']);
      expect(await readAll(other, key)).toEqual([unknown(1), unknown(2)]);
      for (const node of nodes.splice(0)) node.stop();
    }
  });

  it('are answered only where they have no answer yet', async () => {
    const {
      nodes: [dead, shower],
      key,
    } = await setUp([1, '1', 2, 3]);
    await dead.log.append(key, 's', '{"jsonrpc":"2.0","id":1,"result":{}}');
    await dead.log.append(key, 's', '{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}}');
    // A question of ours to the client is no answer.
    await dead.log.append(key, 's', '{"jsonrpc":"2.0","id":3,"method":"ping"}');
    const heard = new Heard();
    await shower.log.follow(key, 's', 4, heard);
    shower.live.die(dead.id);
    expect(await heard.until(3)).toEqual([`5:${unknown('1')}`, `6:${unknown(3)}`, 'end']);
  });

  it('are not answered from what was read before somebody else had said more', async () => {
    const {
      nodes: [, shower],
      key,
    } = await setUp([1]);
    const redis = new LogRedis(shower.clients.commands, 'deciding');
    const id = streamId(sessionTag(key), 's');
    expect(await redis.write(id, 1, ['c', '0', 'a', 'too early', 'e'])).toMatchObject({ state: MOVED_ON, last: 1 });
    expect(await shower.log.last(key, 's')).toBe(1);
    const settled = ['c', '1', 'a', 'in time', 'e'];
    expect(await redis.write(id, 2, settled)).toMatchObject({ state: OPEN, last: 1 });
    expect(await redis.write(id, 2, settled)).toMatchObject({ state: OPEN, last: 1 });
    expect(await redis.write(id, 3, settled)).toMatchObject({ state: MOVED_ON });
    expect(await readAll(shower, key)).toEqual(['in time']);
  });

  it('are left alone while their node lives, and when they have ended', async () => {
    const {
      clock,
      nodes: [runner, shower, other],
      key,
    } = await setUp([1]);
    const heard = new Heard();
    await shower.log.follow(key, 's', 1, heard);
    shower.live.die(other.id);
    clock.advance(10_000);
    await runner.log.append(key, 's', 'answer', true);
    expect(await heard.until(2)).toEqual(['2:answer', 'end']);
    shower.live.die(runner.id);
    const late = new Heard();
    await shower.log.follow(key, 's', 1, late);
    expect(await late.until(2)).toEqual(['2:answer', 'end']);
    expect(await readAll(other, key)).toEqual(['answer']);
  });
});
