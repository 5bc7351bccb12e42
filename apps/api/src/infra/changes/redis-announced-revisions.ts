import type { RedisCommands } from '../redis/redis-clients.js';
import { RedisScript } from '../redis/redis-script.js';
import { type AnnouncedRevisions, CLAIM_MS, type Claim } from './announced-revisions.js';

/** A server that changes twice at once after so long a time may have the first of the two changes compared with nothing. */
const KEPT_MS = 30 * 86_400_000;

const CLAIM = new RedisScript(`
-- Claims the announcement of a revision, or makes the claim last longer.
-- KEYS: 1 server (hash: revision announced, holder and end of a claim)
-- ARGV: 1 revision, 2 holder, 3 length of a claim in ms, 4 how long this is kept in ms
-- Result: {'announced'} | {'taken', ms left} | {'yours', revision announced or ''}
local known = redis.call('HMGET', KEYS[1], 'revision', 'holder', 'until')
if tonumber(known[1] or '0') >= tonumber(ARGV[1]) then return {'announced'} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if known[2] and known[2] ~= ARGV[2] and tonumber(known[3]) > now then return {'taken', tonumber(known[3]) - now} end
redis.call('HSET', KEYS[1], 'holder', ARGV[2], 'until', now + ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {'yours', known[1] or ''}
`);

const ANNOUNCED = new RedisScript(`
-- Notes that a revision was announced, and gives a claim back.
-- KEYS: 1 server (hash: revision announced, holder and end of a claim)
-- ARGV: 1 revision, 2 holder, 3 how long this is kept in ms
-- Result: 1
local known = redis.call('HMGET', KEYS[1], 'revision', 'holder')
if tonumber(known[1] or '0') < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'revision', ARGV[1]) end
if known[2] == ARGV[2] then redis.call('HDEL', KEYS[1], 'holder', 'until') end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);

/** For all nodes on one Redis, by its clock. */
export class RedisAnnouncedRevisions implements AnnouncedRevisions {
  constructor(private readonly redis: RedisCommands) {}

  async claim(server: string, revision: number, holder: string): Promise<Claim> {
    const [kind, value] = (await CLAIM.run(this.redis, [keyOf(server)], [revision, holder, CLAIM_MS, KEPT_MS])) as
      | ['announced', undefined]
      | ['taken', number]
      | ['yours', string];
    if (kind === 'announced') return { kind };
    if (kind === 'taken') return { kind, leftMs: value };
    return { kind, since: value === '' ? undefined : Number(value) };
  }

  async announced(server: string, revision: number, holder: string): Promise<void> {
    await ANNOUNCED.run(this.redis, [keyOf(server)], [revision, holder, KEPT_MS]);
  }
}

function keyOf(server: string): string {
  return `gantry:announced:{${server}}`;
}
