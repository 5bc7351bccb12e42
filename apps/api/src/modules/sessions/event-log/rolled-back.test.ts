import type { SessionKey } from '@gantry/mcp-core';
import { FakeClock } from '@gantry/mcp-core/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../../scripts/lib/redis.mjs';
import { Heard, LogNode, numbered, WIDE } from '../../../../test/support/log-nodes.js';
import { sessionTag, streamKeys } from '../session-keys.js';

let redis: RedisServer;
const nodes: LogNode[] = [];

beforeAll(async () => {
  redis = await startTemporaryRedis();
});
afterEach(() => {
  for (const node of nodes.splice(0)) node.stop();
});
afterAll(() => redis.stop());

/** A stream shown by one node, of whose five events Redis has lost the last two. */
async function rolledBack() {
  const clock = new FakeClock();
  const shower = await LogNode.start([redis.url], { clock });
  const other = await LogNode.start([redis.url], { clock });
  nodes.push(shower, other);
  const key = await shower.session();
  shower.log.open(key, 's', WIDE);
  const heard = new Heard();
  await shower.log.follow(key, 's', 0, heard);
  for (let at = 1; at <= 3; at++) await shower.log.append(key, 's', String(at));
  const before = await saved(shower, key);
  for (let at = 4; at <= 5; at++) await shower.log.append(key, 's', String(at));
  expect(await heard.until(5)).toEqual(numbered(5));
  await before();
  return { clock, shower, other, key, heard };
}

/** Gives what brings a stream back to how it stands now. */
async function saved({ clients: { commands } }: LogNode, key: SessionKey): Promise<() => Promise<void>> {
  const { meta, events } = streamKeys(sessionTag(key), 's');
  const dumps = await Promise.all([meta, events].map(async (name) => [name, await commands.dumpBuffer(name)] as const));
  return async () => {
    for (const [name, dump] of dumps) await commands.restore(name, 0, dump, 'REPLACE');
  };
}

describe('a Redis that came back without its last writes', () => {
  it('has the streams that had shown them end, instead of hiding what comes after', async () => {
    const { clock, shower, other, key, heard } = await rolledBack();
    await other.log.append(key, 's', 'new');
    clock.advance(10_000);
    expect(await heard.until(6)).toEqual([...numbered(5), 'end']);
    expect([shower.counts.rolledBack, shower.log.followers]).toEqual([1, 0]);
    // The client has what is nowhere any more: it cannot go on from there.
    expect(await other.log.follow(key, 's', 5, new Heard())).toBeUndefined();
  });

  it('is noticed with the first write of the node that shows the stream', async () => {
    const { shower, key, heard } = await rolledBack();
    expect(await shower.log.append(key, 's', 'new')).toBe(4);
    expect(await heard.until(6)).toEqual([...numbered(5), 'end']);
    expect(shower.counts.rolledBack).toBe(1);
  });
});
