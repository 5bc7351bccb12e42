import type { RedisCommands } from '../../infra/redis/redis-clients.js';
import { RedisScript } from '../../infra/redis/redis-script.js';
import { MINUTE_MS } from './limits.js';

/** What a place is asked for with. */
export interface PlaceAsk {
  readonly node: string;
  /** Most places over all nodes. */
  readonly max: number;
  /** Nodes whose places are free because they are gone. */
  readonly gone: readonly string[];
}

/** What calls of the running minute are asked for with. */
export interface RateAsk {
  readonly key: string;
  /** Most calls a minute. */
  readonly max: number;
  /** How many to take at once, if so many are left; at least one if any are. */
  readonly want: number;
}

export type Admission =
  | { readonly kind: 'admitted'; readonly granted: number; readonly leftMs: number }
  | { readonly kind: 'no place'; readonly nodes: readonly string[] }
  | { readonly kind: 'no call'; readonly leftMs: number };

/** What nobody has touched for so long is garbage. */
export const PLACES_KEPT_MS = 86_400_000;

const ENTER = new RedisScript(`
-- Takes a place, and calls of the running minute, or nothing of either.
-- KEYS: 1 places (hash: node -> places it holds), 2 calls counted in the running minute, if a rate is asked for
-- ARGV: 1 node, 2 most places or '' to take none, 3 most calls a minute, 4 calls wanted,
--       5 length of the minute in ms, 6 how long places are kept in ms, 7... nodes that are gone
-- Result: {'admitted', calls granted, ms left of the minute} | {'no place', {nodes that hold places}}
--         | {'no call', ms left of the minute}
local places, node, max = KEYS[1], ARGV[1], tonumber(ARGV[2])
if max then
  for i = 7, #ARGV do redis.call('HDEL', places, ARGV[i]) end
  local taken, nodes = 0, {}
  local all = redis.call('HGETALL', places)
  for i = 1, #all, 2 do
    nodes[#nodes + 1] = all[i]
    taken = taken + tonumber(all[i + 1])
  end
  if taken >= max then return {'no place', nodes} end
end
local granted, left = 0, 0
if KEYS[2] then
  local used = tonumber(redis.call('GET', KEYS[2]) or '0')
  left = redis.call('PTTL', KEYS[2])
  if left < 0 then used, left = 0, tonumber(ARGV[5]) end
  local remaining = tonumber(ARGV[3]) - used
  if remaining < 1 then return {'no call', left} end
  -- Towards the end little is given at a time, so that what nodes hold unused stays small.
  granted = math.min(tonumber(ARGV[4]), math.ceil(remaining / 16))
  if used == 0 then redis.call('SET', KEYS[2], granted, 'PX', left)
  else redis.call('INCRBY', KEYS[2], granted) end
end
if max then
  redis.call('HINCRBY', places, node, 1)
  redis.call('PEXPIRE', places, ARGV[6])
end
return {'admitted', granted, left}
`);

const LEAVE = new RedisScript(`
-- Gives one place back, if the node is known to hold any.
-- KEYS: 1 places (hash: node -> places it holds)
-- ARGV: 1 node
-- Result: 1
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 and redis.call('HINCRBY', KEYS[1], ARGV[1], -1) <= 0 then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
return 1
`);

/** One command: all that is asked for, or nothing of it. */
export async function admit(
  redis: RedisCommands,
  places: string,
  place: PlaceAsk | undefined,
  rate: RateAsk | undefined,
): Promise<Admission> {
  const answer = (await ENTER.run(
    redis,
    [places, ...(rate === undefined ? [] : [rate.key])],
    [
      place?.node ?? '',
      place?.max ?? '',
      rate?.max ?? '',
      rate?.want ?? '',
      MINUTE_MS,
      PLACES_KEPT_MS,
      ...(place?.gone ?? []),
    ],
  )) as ['admitted', number, number] | ['no place', string[]] | ['no call', number];
  if (answer[0] === 'no place') return { kind: 'no place', nodes: answer[1] };
  if (answer[0] === 'no call') return { kind: 'no call', leftMs: answer[1] };
  return { kind: 'admitted', granted: answer[1], leftMs: answer[2] };
}

/** One command. */
export async function giveBack(redis: RedisCommands, places: string, node: string): Promise<void> {
  await LEAVE.run(redis, [places], [node]);
}

/** Says how many places a node holds, whatever was counted before. */
export async function setHeld(redis: RedisCommands, places: string, node: string, held: number): Promise<void> {
  if (held === 0) {
    await redis.hdel(places, node);
    return;
  }
  const results = await redis.multi().hset(places, node, held).pexpire(places, PLACES_KEPT_MS).exec();
  for (const [error] of results ?? []) if (error !== null) throw error;
}
