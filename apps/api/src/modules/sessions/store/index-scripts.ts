import { RedisScript } from '../../../infra/redis/redis-script.js';

/** An index outlives what is in it, so that nothing goes missing between two refreshes. */
const KEEP = `
local function keep(key, ms)
  if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, ms) end
end`;

export const RESERVE = new RedisScript(`
-- Puts a session into all its scopes, unless one of them is full.
-- KEYS: order and ends of each scope, in pairs
-- ARGV: 1 place, 2 when the session ends, 3 now, 4 how long to keep the index in ms,
--       5 how many lapsed places to name of a full scope, 6 and of each other, 7... the cap of each scope
-- Result: {0, places that may have lapsed...} when it is in, {number of the full scope, places that may have lapsed...}
${KEEP}
local result = {0}
for i = 1, #KEYS / 2 do
  local ends = KEYS[2 * i]
  if redis.call('ZCARD', ends) >= tonumber(ARGV[6 + i]) then
    result = redis.call('ZRANGEBYSCORE', ends, '-inf', ARGV[3], 'LIMIT', 0, ARGV[5])
    table.insert(result, 1, i)
    return result
  end
end
for i = 1, #KEYS, 2 do
  local lapsed = redis.call('ZRANGEBYSCORE', KEYS[i + 1], '-inf', ARGV[3], 'LIMIT', 0, ARGV[6])
  for _, place in ipairs(lapsed) do result[#result + 1] = place end
  redis.call('ZADD', KEYS[i], 0, ARGV[1])
  redis.call('ZADD', KEYS[i + 1], ARGV[2], ARGV[1])
  keep(KEYS[i], ARGV[4] + 0)
  keep(KEYS[i + 1], ARGV[4] + 0)
end
return result
`);

export const REFRESH = new RedisScript(`
-- Says anew when a session ends, in the lists it is still in and for its subscriptions.
-- KEYS: order and ends of each scope, in pairs; then those who may be subscribed, one key for each subscription
-- ARGV: 1 how many scopes, 2 place, 3 when it ends, 4 when its subscriptions can be forgotten, 5 now,
--       6 how long to keep the index in ms, 7... its name for each subscription
-- Result: nothing
${KEEP}
local scopes = tonumber(ARGV[1])
for i = 1, 2 * scopes, 2 do
  redis.call('ZADD', KEYS[i + 1], 'XX', ARGV[3], ARGV[2])
  keep(KEYS[i], ARGV[6] + 0)
  keep(KEYS[i + 1], ARGV[6] + 0)
end
for i = 2 * scopes + 1, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', ARGV[5])
  redis.call('ZADD', KEYS[i], ARGV[4], ARGV[6 + i - 2 * scopes])
  keep(KEYS[i], ARGV[6] + 0)
end
return false
`);

export const REMOVE = new RedisScript(`
-- Takes sessions out of scopes.
-- KEYS: order and ends of each scope, in pairs
-- ARGV: 1 now, to take only those that may have lapsed, or '' for all, 2... places
-- Result: nothing
for i = 1, #KEYS, 2 do
  for j = 2, #ARGV do
    local ends = tonumber(redis.call('ZSCORE', KEYS[i + 1], ARGV[j]) or '0')
    if ARGV[1] == '' or ends <= tonumber(ARGV[1]) then
      redis.call('ZREM', KEYS[i], ARGV[j])
      redis.call('ZREM', KEYS[i + 1], ARGV[j])
    end
  end
end
return false
`);
