import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../../scripts/lib/redis.mjs';
import { Heard, LogNode, WIDE } from '../../../../test/support/log-nodes.js';
import { sessionTag } from '../session-keys.js';

let redis: RedisServer;
let node: LogNode;

beforeAll(async () => {
  redis = await startTemporaryRedis();
  node = await LogNode.start([redis.url]);
});
afterAll(async () => {
  node.stop();
  await redis.stop();
});

const bell = (tag: string, what: string) => `${tag}\x1es\x1e${what}`;

it('drops bells that are rung in the name of another session, or are none, and goes on (wire S7)', async () => {
  const key = await node.session();
  node.log.open(key, 's', WIDE);
  const heard = new Heard();
  await node.log.follow(key, 's', 0, heard);
  const own = sessionTag(key);
  const strangers = [
    { ...key, owner: 'key:2' },
    { ...key, server: 'beta/tools' },
    { ...key, id: 'guessed' },
  ].map(sessionTag);
  for (const tag of [...strangers, key.id, '']) node.deliver(bell(tag, 'e1 1 1\x1eforged'));
  for (const body of ['', 'x', own, `${own}\x1es`, bell(own, ''), bell(own, 'x1 1 0\x1eforged')]) node.deliver(body);
  // Of its own stream, but with numbers that cannot be.
  for (const what of [
    'eNaN NaN 0\x1eforged',
    'e-5 -5 1\x1eforged',
    'e1 9 0\x1eforged',
    'e0 0 0\x1eforged',
    'tx',
    'e1e9 1e9 1',
    'e1000 1000 1',
  ])
    node.deliver(bell(own, what));
  await node.log.append(key, 's', 'true');
  expect(await heard.until(1)).toEqual(['1:true']);
  await node.log.append(key, 's', 'and true', true);
  expect(await heard.until(3)).toEqual(['1:true', '2:and true', 'end']);
});
