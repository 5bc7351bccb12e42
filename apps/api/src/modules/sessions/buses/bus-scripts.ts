import { RedisScript } from '../../../infra/redis/redis-script.js';

export const SAY = new RedisScript(`
-- Says something to nodes, by way of the slot of its session so that words about one session stay in order, and keeps it
-- for those who do not hear it.
-- KEYS: 1 session, 2 words (hash: number -> when it was said and what, n newest number, o oldest kept, b bytes kept)
-- ARGV: 1 channel, 2 message, 3 what to keep or '', 4 and 5 most words and bytes kept, the newest always, 6 for how long
-- Result: nothing
if ARGV[3] ~= '' and redis.call('EXISTS', KEYS[1]) == 1 then
  local time = redis.call('TIME')
  local word = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)) .. ' ' .. ARGV[3]
  local newest = redis.call('HINCRBY', KEYS[2], 'n', 1)
  redis.call('HSET', KEYS[2], newest, word)
  local bytes = redis.call('HINCRBY', KEYS[2], 'b', #word)
  local oldest = tonumber(redis.call('HGET', KEYS[2], 'o') or '1')
  while oldest < newest and (newest - oldest >= tonumber(ARGV[4]) or bytes > tonumber(ARGV[5])) do
    bytes = redis.call('HINCRBY', KEYS[2], 'b', -redis.call('HSTRLEN', KEYS[2], oldest))
    redis.call('HDEL', KEYS[2], oldest)
    oldest = oldest + 1
  end
  redis.call('HSET', KEYS[2], 'o', oldest)
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return false
`);

export const RECALL = new RedisScript(`
-- What was kept lately, in the order in which it was said.
-- KEYS: 1 words
-- ARGV: 1 how many ms ago it may have been said
-- Result: the words
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1]
local newest = tonumber(redis.call('HGET', KEYS[1], 'n') or '0')
local words = {}
for number = tonumber(redis.call('HGET', KEYS[1], 'o') or '1'), newest do
  local at, word = string.match(redis.call('HGET', KEYS[1], number), '^(%d+) (.*)$')
  if tonumber(at) >= since then words[#words + 1] = word end
end
return words
`);
