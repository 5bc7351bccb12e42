import { RedisScript } from '../../../infra/redis/redis-script.js';

/*
 * KEYS of all of them: 1 session, 2 turn (hash: `holder`, a ticket, and `until`, ms of Redis' own time), 3 queue (list of
 * tickets), 4 waiting (hash: ticket -> when it was heard of last). A ticket names its node and is used for one turn only,
 * so whoever still holds the turn by its ticket has not lost it in between: the ticket is the fence.
 */

/** @param first number of the first argument it uses, of four */
const passing = (first: number) => `
local time = redis.call('TIME')
local t = time[1] * 1000 + math.floor(time[2] / 1000)
-- The next ticket has the turn for as long as its node may need to come for it. One that was not heard of for long is
-- of a node that died.
local function pass(mine)
  redis.call('DEL', KEYS[2])
  local ticket = redis.call('LPOP', KEYS[3])
  while ticket do
    local heard = redis.call('HGET', KEYS[4], ticket)
    redis.call('HDEL', KEYS[4], ticket)
    if heard and t - heard <= tonumber(ARGV[${first + 1}]) then
      redis.call('HSET', KEYS[2], 'holder', ticket, 'until', t + ARGV[${first}])
      if ticket ~= mine then
        redis.call('PUBLISH', ARGV[${first + 2}] .. string.match(ticket, '^(.*):'), ARGV[${first + 3}] .. ticket)
      end
      return ticket
    end
    ticket = redis.call('LPOP', KEYS[3])
  end
end
local function lives(now)
  local ends = redis.call('HGET', KEYS[1], 'ends')
  return ends and tonumber(ends) > tonumber(now)
end
local function keep(ms)
  for i = 2, 4 do redis.call('PEXPIRE', KEYS[i], ms) end
end`;

const PASSING = 'how long the next may take to come for its turn in ms, ms after which a silent ticket is dead,';
const BELL = 'what names of node channels begin with, what a bell begins with';

export const TAKE = new RedisScript(`
-- Takes the turn if it is this ticket's, else waits for it; asked again by whoever waits.
-- KEYS: 5 state
-- ARGV: 1 ticket, 2 now by the clock of sessions, 3 lease in ms, 4 how long to keep the queue in ms, 5 '1' if the ticket
--       has waited before, 6-9 ${PASSING}
--       ${BELL}
-- Result: {'ended'} | {'wait'} | {'turn', state}
${passing(6)}
if not lives(ARGV[2]) then return {'ended'} end
local ticket = ARGV[1]
local turn = redis.call('HMGET', KEYS[2], 'holder', 'until')
local holder = turn[1]
if holder ~= ticket then
  if redis.call('HSET', KEYS[4], ticket, t) == 1 then
    -- One whose turn passed by while its node slept has waited the longest.
    redis.call(ARGV[5] == '1' and 'LPUSH' or 'RPUSH', KEYS[3], ticket)
  end
  if not holder or tonumber(turn[2]) <= t then holder = pass(ticket) end
end
local answer = {'wait'}
if holder == ticket then
  redis.call('HSET', KEYS[2], 'holder', ticket, 'until', t + ARGV[3])
  answer = {'turn', redis.call('GET', KEYS[5]) or '{}'}
end
keep(ARGV[4])
return answer
`);

export const RENEW = new RedisScript(`
-- Goes on holding the turn.
-- ARGV: 1 ticket, 2 lease in ms, 3 how long to keep the queue in ms
-- Result: 1, or 0 when the turn is another's or its session is gone
${passing(4)}
if redis.call('HGET', KEYS[2], 'holder') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'until', t + ARGV[2])
keep(ARGV[3])
return 1
`);

export const END = new RedisScript(`
-- Gives the turn, or the place in the queue, to the next, and stores the state that a turn leaves.
-- KEYS: 5 state
-- ARGV: 1 ticket, 2 now by the clock of sessions, 3-6 ${PASSING}
--       ${BELL}, 7 the state, if there is one to store
-- Result: 1, or 0 when the turn is another's or its session is gone, so that nothing was stored
${passing(3)}
if redis.call('HGET', KEYS[2], 'holder') ~= ARGV[1] then
  redis.call('LREM', KEYS[3], 1, ARGV[1])
  redis.call('HDEL', KEYS[4], ARGV[1])
  return 0
end
local alive = lives(ARGV[2])
if alive and ARGV[7] then redis.call('SET', KEYS[5], ARGV[7], 'PX', math.max(1, redis.call('PTTL', KEYS[1]))) end
pass()
return alive and 1 or 0
`);
