// The other end of ring-publisher: what rings is written to the one open event stream, raw. Argument: JSON {port, redisUrl}.
import { createServer } from 'node:http';
import { Redis } from 'ioredis';

const { port, redisUrl } = JSON.parse(process.argv[2]);
let stream;
let count = 0;
const redis = new Redis(redisUrl);
redis.on('message', (_channel, text) => stream?.write(`id: s.${(count += 1)}\ndata: ${text}\n\n`));
await redis.subscribe('floor:bell');

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  stream = response;
}).listen(port, '127.0.0.1');
