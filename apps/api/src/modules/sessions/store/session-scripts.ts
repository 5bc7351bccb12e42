import { RedisScript } from '../../../infra/redis/redis-script.js';

/*
 * Fields of a session's hash: `about` (what never changes, as JSON), `client` (as JSON; none before `initialize`),
 * `stream` (its standalone stream), `level`, `initialized` (1 or 0), `seen` and `ends` (ms since the epoch), `indexed` (the
 * end that the lists of its scopes were told last), `subscriptions` (how many there ever were).
 */

export const FIELDS = ['about', 'stream', 'level', 'initialized', 'seen', 'ends', 'client'] as const;

export const CREATE = new RedisScript(`
-- Stores a session.
-- KEYS: 1 session
-- ARGV: 1 for how long in ms, 2... fields and values
-- Result: nothing
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return false
`);

export const TOUCH = new RedisScript(`
-- Reads a session and moves its end.
-- KEYS: 1 session, 2 subscriptions, 3 state, 4 streams
-- ARGV: 1 now, 2 when it ends, 3 for how long to store it in ms, 4 how much sooner than it ends the lists of its scopes
--       may say, in ms, 5 and 6 what the keys of its standalone stream begin with
-- Result: {about, stream, level, initialized, seen, ends, client, what the lists said, subscriptions and their
--         numbers...}, the last ones only when the lists are to be told; nothing when there is no such session
local session = redis.call('HMGET', KEYS[1], 'about', 'stream', 'level', 'initialized', 'ends', 'indexed', 'client')
local now, ends = tonumber(ARGV[1]), tonumber(ARGV[2])
if not session[1] or tonumber(session[5]) <= now then return false end
local result = {session[1], session[2], session[3], session[4], ARGV[1], ARGV[2], session[7]}
redis.call('HSET', KEYS[1], 'seen', ARGV[1], 'ends', ARGV[2])
local indexed = tonumber(session[6])
if ends < indexed or ends - indexed > tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], 'indexed', ARGV[2])
  result[8] = session[6]
  for _, word in ipairs(redis.call('HGETALL', KEYS[2])) do result[#result + 1] = word end
end
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[3]) end
-- The log has its own reasons to keep what it has for longer. The stream's keys lie in this slot, as all of the session.
for _, key in ipairs({KEYS[4], ARGV[5] .. session[2], ARGV[6] .. session[2]}) do
  redis.call('PEXPIRE', key, ARGV[3], 'GT')
end
return result
`);

export const AGREE = new RedisScript(`
-- Stores the client of a session that has none.
-- KEYS: 1 session
-- ARGV: 1 now, 2 client
-- Result: 'agreed', 'already' or 'unknown'
local ends = redis.call('HGET', KEYS[1], 'ends')
if not ends or tonumber(ends) <= tonumber(ARGV[1]) then return 'unknown' end
return redis.call('HSETNX', KEYS[1], 'client', ARGV[2]) == 1 and 'agreed' or 'already'
`);

export const CHANGE = new RedisScript(`
-- Changes one field of a session.
-- KEYS: 1 session
-- ARGV: 1 now, 2 field, 3 value
-- Result: 1, or 0 when there is no such session
local ends = redis.call('HGET', KEYS[1], 'ends')
if not ends or tonumber(ends) <= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
return 1
`);

export const SUBSCRIBE = new RedisScript(`
-- Subscribes a session to a URI. Each subscription has a number of its own, also to a URI that was there before.
-- KEYS: 1 session, 2 subscriptions
-- ARGV: 1 now, 2 URI, 3 most subscriptions
-- Result: {'subscribed', number, when the session ends} | {'full'} | {'unknown'}
local ends = redis.call('HGET', KEYS[1], 'ends')
if not ends or tonumber(ends) <= tonumber(ARGV[1]) then return {'unknown'} end
local number = redis.call('HGET', KEYS[2], ARGV[2])
if not number then
  if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return {'full'} end
  number = tostring(redis.call('HINCRBY', KEYS[1], 'subscriptions', 1))
  redis.call('HSET', KEYS[2], ARGV[2], number)
  redis.call('PEXPIRE', KEYS[2], redis.call('PTTL', KEYS[1]))
end
return {'subscribed', number, ends}
`);

export const UNSUBSCRIBE = new RedisScript(`
-- Ends a subscription, if there is one.
-- KEYS: 1 session, 2 subscriptions
-- ARGV: 1 now, 2 URI
-- Result: its number, or ''; nothing when there is no such session
local ends = redis.call('HGET', KEYS[1], 'ends')
if not ends or tonumber(ends) <= tonumber(ARGV[1]) then return false end
local number = redis.call('HGET', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[2], ARGV[2])
return number or ''
`);

export const READ_SUBSCRIBER = new RedisScript(`
-- Reads a session that may be subscribed to a URI.
-- KEYS: 1 session, 2 subscriptions
-- ARGV: 1 URI, 2... fields
-- Result: {number of its subscription or nothing, values of the fields...}
local result = redis.call('HMGET', KEYS[1], unpack(ARGV, 2))
table.insert(result, 1, redis.call('HGET', KEYS[2], ARGV[1]))
return result
`);

export const DELETE = new RedisScript(`
-- Removes a session.
-- KEYS: 1 session, 2 subscriptions, 3... what else belongs to it
-- ARGV: 1 now, 2 'lapsed' to remove it only if its time has passed, else 'whatever'
-- Result: {1 if it lived and is removed, else 0; when it ends, if it lives on; about; subscriptions and numbers...}
local session = redis.call('HMGET', KEYS[1], 'about', 'ends')
local lives = session[2] and tonumber(session[2]) > tonumber(ARGV[1])
if lives and ARGV[2] == 'lapsed' then
  redis.call('HSET', KEYS[1], 'indexed', session[2])
  return {0, session[2], session[1]}
end
local result = {lives and 1 or 0, '', session[1] or ''}
for _, word in ipairs(redis.call('HGETALL', KEYS[2])) do result[#result + 1] = word end
redis.call('DEL', unpack(KEYS))
return result
`);
