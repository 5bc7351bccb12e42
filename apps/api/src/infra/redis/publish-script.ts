import { RedisScript } from './redis-script.js';

/** In a cluster each plain PUBLISH goes by way of any master, and may arrive before one that was said earlier. */
export const PUBLISH = new RedisScript(`
-- Says something to nodes, by way of one slot so that what is said there stays in order.
-- KEYS: 1 any key of that slot; it is not used
-- ARGV: 1 channel, 2 message
-- Result: nothing
redis.call('PUBLISH', ARGV[1], ARGV[2])
return false
`);
