// The least that an event costs from one process to another by Redis: a script that logs it and rings, once a POST asks for
// a number of them. Node script; argument: JSON {port, redisUrl}.
import { createServer } from 'node:http';
import { Redis } from 'ioredis';

const { port, redisUrl } = JSON.parse(process.argv[2]);
const redis = new Redis(redisUrl);
redis.defineCommand('ring', {
  numberOfKeys: 1,
  lua: `-- KEYS[1] log; ARGV: payload, channel. Result: the entry's id
    local id = redis.call('XADD', KEYS[1], 'MAXLEN', 1024, '*', 'd', ARGV[1])
    redis.call('PUBLISH', ARGV[2], ARGV[1])
    return id`,
});

createServer(async (request, response) => {
  const { n, everyMs } = JSON.parse(decodeURIComponent(request.url.slice(2)));
  response.end();
  for (let at = 1; at <= n; at += 1) {
    const stamp = process.hrtime.bigint();
    const message = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 't', progress: at, total: n, message: String(stamp) },
    };
    await redis.ring('floor:log', JSON.stringify(message), 'floor:bell');
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}).listen(port, '127.0.0.1');
