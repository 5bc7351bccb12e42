/** Keys of the registry; one hash tag, so that a script may touch them all. */
export const NODE_KEYS = [
  'gantry:{nodes}:leases',
  'gantry:{nodes}:facts',
  'gantry:{nodes}:gone',
  'gantry:{nodes}:beat',
];

/**
 * One beat of one node. Whoever finds a lapsed lease takes it away, in one step: of many nodes one reclaims it. When
 * nobody could beat for half a lease, Redis was away and not the nodes: leases that stood at the last beat start anew.
 */
export const BEAT = `
-- KEYS: 1 leases (sorted set: node by the end of its lease), 2 facts (hash: node -> JSON),
--       3 gone (sorted set: node by when it went), 4 beat (when the last beat of any node was)
-- ARGV: 1 node, 2 its facts, 3 length of a lease in ms, 4 how long the gone are remembered in ms,
--       5 channel of the node, 6 the ping it sends itself
-- Result: {now in ms, 1 when this node had been reclaimed else 0, {living nodes}, {gone nodes},
--          {nodes reclaimed by this beat}}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local node, lease = ARGV[1], tonumber(ARGV[3])
local last = tonumber(redis.call('GET', KEYS[4]) or '0')
redis.call('SET', KEYS[4], now)
local back = redis.call('ZREM', KEYS[3], node)
local lapsed = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)
local reclaimed = {}
for _, other in ipairs(lapsed) do
  if other ~= node then
    if now - last >= lease / 2 and tonumber(redis.call('ZSCORE', KEYS[1], other)) > last then
      redis.call('ZADD', KEYS[1], now + lease, other)
    else
      redis.call('ZREM', KEYS[1], other)
      redis.call('ZADD', KEYS[3], now, other)
      reclaimed[#reclaimed + 1] = other
    end
  end
end
redis.call('ZADD', KEYS[1], now + lease, node)
redis.call('HSET', KEYS[2], node, ARGV[2])
for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[4], 'LIMIT', 0, 100)) do
  redis.call('ZREM', KEYS[3], old)
  redis.call('HDEL', KEYS[2], old)
end
redis.call('PUBLISH', ARGV[5], ARGV[6])
return {now, back, redis.call('ZRANGE', KEYS[1], 0, -1), redis.call('ZRANGE', KEYS[3], 0, -1), reclaimed}
`;

/** A node stops: it is gone at once. */
export const LEAVE = `
-- KEYS: as for a beat
-- ARGV: 1 node, 2 its facts
-- Result: 1
local time = redis.call('TIME')
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[3], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
`;

/** Every node that is shown. */
export const LIST = `
-- KEYS: as for a beat
-- ARGV: none
-- Result: {now in ms, {node, end of its lease or '', when it went or '', facts} for each}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local nodes = {}
local facts = redis.call('HGETALL', KEYS[2])
for at = 1, #facts, 2 do
  local lease = redis.call('ZSCORE', KEYS[1], facts[at])
  local gone = redis.call('ZSCORE', KEYS[3], facts[at])
  if lease or gone then nodes[#nodes + 1] = {facts[at], lease or '', gone or '', facts[at + 1]} end
end
return {now, nodes}
`;
