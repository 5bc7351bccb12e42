import { nodeChannelName } from '../../../infra/redis/redis-node-channel.js';

/** Divides the parts of a bell. JSON text never holds it: RFC 8259 has it escaped in strings and knows no such blank. */
export const SEPARATOR = '\x1e';

/** What a write finds of a stream, before it does anything. */
export const NO_SESSION = 0;
export const NO_STREAM = 1;
export const OPEN = 2;
export const ENDED = 3;
/** The write depended on a position that the stream has left: nothing was done. */
export const MOVED_ON = 4;

/** What a read finds. */
export const READ_LIVE = 0;
export const READ_ENDED = 1;
/** The stream was followed, and another node has taken it since. */
export const READ_TAKEN = 2;

const RING = String.raw`
local function ring(holder, body)
  redis.call('PUBLISH', '${nodeChannelName('')}' .. holder, 'log\n' .. me .. '\n' .. name .. '\30' .. body)
end
`;

/**
 * Fields of a stream's hash: n sequence of the newest event, b bytes kept, c and z their bounds (count, bytes), h node
 * that shows it, he how often that was set, x ended, cn and cr node and requests of the call, t:<node> what that node's
 * last write found and left, so that a write whose answer was lost is known when it comes again.
 */
export const WRITE_SCRIPT = String.raw`
-- Does what one node wants of one stream, in order and once, and rings the node that shows the stream.
-- KEYS 1 session, or the same as 2 for a stream that stands alone, 2 hash of the stream, 3 events of the stream, 4 names of the session's streams
-- ARGV 1 the writing node, 2 number of the write, which grows from write to write of that node, 3 name of the stream,
--      4 its name in bells, 5 ms an open stream is kept, 6 ms an ended one is kept, 7 most bytes of events in a bell;
--      then operations: o <most events> <most bytes> <node of the call or ''> <requests as JSON or ''> opens,
--      a <event> appends, e ends, r <position> reads what came after, f <position> reads and makes this node the one
--      that shows the stream, c <position> as the first: do all or nothing, only while open with that newest event.
--      At most one of r and f.
-- Result {state, newest, times the holder was set, read}: as found before (0 no session, 1 no stream, 2 open, 3 ended,
--      4 c did not hold); read is false when there is no such stream or position, else {0 live, 1 ended or 2 taken
--      since, sequence of its first event, times the holder was set, node of the call, its requests, events ...}
local me, name = ARGV[1], ARGV[4]
local meta, events, streams = KEYS[2], KEYS[3], KEYS[4]
${RING}
if KEYS[1] ~= KEYS[2] and redis.call('EXISTS', KEYS[1]) == 0 then return {0, 0, 0} end
local had = redis.call('HMGET', meta, 'n', 'b', 'c', 'z', 'h', 'he', 'x', 'cn', 'cr', 't:' .. me)
local state = had[1] and (had[7] and 3 or 2) or 1
local n, bytes = tonumber(had[1] or 0), tonumber(had[2] or 0)
local maxEvents, maxBytes = tonumber(had[3] or 0), tonumber(had[4] or 0)
local holder, epoch = had[5], tonumber(had[6] or 0)
local callNode, callRequests = had[8], had[9]
local kept = state > 1 and redis.call('LLEN', events) or 0
local foundState, foundNewest, foundEpoch, foundKept = state, n, epoch, kept

local again, leftEpoch = false, 0
if had[10] then
  local number, this = tonumber(string.match(had[10], '^%d+')), tonumber(ARGV[2])
  if number > this then return {0, 0, 0} end
  if number == this then
    local s, l, e = string.match(had[10], ' (%d+) (%d+) (%d+)$')
    again, foundState, foundNewest, leftEpoch = true, tonumber(s), tonumber(l), tonumber(e)
  end
end

local first = n + 1
local said, size = {}, 0
local changed, held, read = false, false, false

local function readAfter(position)
  if state < 2 or position > n then return false end
  local oldest = n - kept + 1
  local from = math.max(position + 1, oldest)
  local found = {state - 2, from, epoch, callNode, callRequests}
  if from <= n then
    for _, event in ipairs(redis.call('LRANGE', events, from - oldest, -1)) do found[#found + 1] = event end
  end
  return found
end

local at = 8
while at <= #ARGV do
  local what = ARGV[at]
  if what == 'a' then
    if state == 2 and not again then
      local event = ARGV[at + 1]
      redis.call('RPUSH', events, event)
      n, kept, bytes, changed = n + 1, kept + 1, bytes + #event, true
      while kept > 1 and (kept > maxEvents or bytes > maxBytes) do
        bytes = bytes - #redis.call('LPOP', events)
        kept = kept - 1
      end
      said[#said + 1] = event
      size = size + #event
    end
    at = at + 2
  elseif what == 'e' then
    if state == 2 and not again then state, changed = 3, true end
    at = at + 1
  elseif what == 'o' then
    if state == 1 and not again then
      state, changed = 2, true
      maxEvents, maxBytes = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
      redis.call('HSET', meta, 'c', ARGV[at + 1], 'z', ARGV[at + 2])
      if ARGV[at + 3] ~= '' then
        callNode, callRequests = ARGV[at + 3], ARGV[at + 4]
        redis.call('HSET', meta, 'cn', callNode, 'cr', callRequests)
      end
    end
    at = at + 5
  elseif what == 'c' then
    if not again and (state ~= 2 or n ~= tonumber(ARGV[at + 1])) then return {4, n, epoch} end
    at = at + 2
  else
    local position = tonumber(ARGV[at + 1])
    if what == 'f' and state == 2 and position <= n and not again then
      epoch = epoch + 1
      if holder and holder ~= me then ring(holder, 't' .. epoch) end
      holder, changed, held = me, true, true
    end
    read = readAfter(position)
    if what == 'f' and again and read and read[1] == 0 and (holder ~= me or epoch ~= leftEpoch) then read[1] = 2 end
    at = at + 2
  end
end
if not changed then return {foundState, foundNewest, foundEpoch, read} end

local mark = ARGV[2] .. ' ' .. foundState .. ' ' .. foundNewest .. ' ' .. epoch
redis.call('HSET', meta, 'n', n, 'b', bytes, 't:' .. me, mark)
if held then redis.call('HSET', meta, 'h', holder, 'he', epoch) end
if state == 3 then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('HSET', meta, 'x', 1)
  redis.call('PEXPIRE', meta, ARGV[6])
  redis.call('PEXPIRE', events, ARGV[6])
  redis.call('ZREMRANGEBYSCORE', streams, '-inf', now)
  redis.call('ZADD', streams, string.format('%.0f', now + ARGV[6]), ARGV[3])
  if foundState == 1 then redis.call('PEXPIRE', streams, ARGV[5]) end
else
  if foundState == 1 then redis.call('ZADD', streams, '+inf', ARGV[3]) end
  if redis.call('PTTL', meta) < ARGV[5] / 2 then
    redis.call('PEXPIRE', meta, ARGV[5])
    redis.call('PEXPIRE', events, ARGV[5])
    redis.call('PEXPIRE', streams, ARGV[5])
  elseif foundKept == 0 and kept > 0 then
    redis.call('PEXPIRE', events, ARGV[5])
  end
end
if holder and holder ~= me and (n >= first or state == 3) then
  local body = 'e' .. first .. ' ' .. n .. ' ' .. (state == 3 and 1 or 0)
  if n >= first and size <= tonumber(ARGV[7]) then body = body .. '\30' .. table.concat(said, '\30') end
  ring(holder, body)
end
return {foundState, foundNewest, foundEpoch, read}
`;

export const TAIL_SCRIPT = `
-- Says how streams stand, and keeps them for those who show them.
-- KEYS for each stream: session, hash of the stream, events of the stream, names of the session's streams
-- ARGV 1 ms an open stream is kept
-- Result for each stream: false when it or its session is gone, else {newest sequence, 1 when ended, node that shows
--      it, times that was set, node of the call}
local tails = {}
for at = 1, #KEYS, 4 do
  local tail = false
  if redis.call('EXISTS', KEYS[at]) == 1 then
    local meta = redis.call('HMGET', KEYS[at + 1], 'n', 'x', 'h', 'he', 'cn')
    if meta[1] then
      tail = {tonumber(meta[1]), tonumber(meta[2] or 0), meta[3], tonumber(meta[4] or 0), meta[5]}
      if not meta[2] and redis.call('PTTL', KEYS[at + 1]) < ARGV[1] / 2 then
        for key = at + 1, at + 3 do redis.call('PEXPIRE', KEYS[key], ARGV[1]) end
      end
    end
  end
  tails[#tails + 1] = tail
end
return tails
`;

export const DROP_SCRIPT = `
-- Forgets streams of a session and tells the nodes that show them.
-- KEYS 1 names of the session's streams
-- ARGV 1 this node, 2 what keys of streams' hashes begin with, 3 the same for events, 4 the same for names in bells,
--      5 most streams to forget now
-- Result {streams forgotten now ...}; as many as there may be at most when there are more
local me, name = ARGV[1], ''
${RING}
local names = redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[5]) - 1)
for _, stream in ipairs(names) do
  local holder = redis.call('HGET', ARGV[2] .. stream, 'h')
  name = ARGV[4] .. stream
  if holder and holder ~= me then ring(holder, 'd') end
  redis.call('UNLINK', ARGV[2] .. stream, ARGV[3] .. stream)
end
if #names > 0 then redis.call('ZREMRANGEBYRANK', KEYS[1], 0, #names - 1) end
return names
`;
