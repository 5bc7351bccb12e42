import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createLogger } from '../logging/logger.js';
import { createFastify } from './fastify-instance.js';

const ANSWER_BYTES = 64 * 1024 * 1024;
let fastify: ReturnType<typeof createFastify>;

/** Answers more than any socket buffers; gives what asks for it on a connection of its own. */
async function serve(stalledMs: number): Promise<{ client: Socket; ask: () => void }> {
  fastify = createFastify({ bodyBytes: 1, trustedProxies: [], logger: createLogger('silent'), stalledMs });
  const answer = 'x'.repeat(ANSWER_BYTES);
  fastify.get('/', async () => answer);
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  const client = connect((fastify.server.address() as { port: number }).port, '127.0.0.1').on('error', () => {});
  return { client, ask: () => void client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n') };
}
afterEach(() => fastify.close());

it('lets go of a client that does not read its answer', async () => {
  const { client, ask } = await serve(200);
  const accepted = once(fastify.server, 'connection');
  ask();
  const [socket] = (await accepted) as [Socket];
  // Nothing reads at the other end: only the server can end this.
  await once(socket, 'close');
  expect(client.bytesRead).toBeLessThan(ANSWER_BYTES);
  client.destroy();
});

it('keeps the connection of a client that reads, answer after answer', async () => {
  const { client, ask } = await serve(10_000);
  let read = 0;
  client.on('data', (chunk) => {
    read += chunk.length;
  });
  for (const wanted of [ANSWER_BYTES, 2 * ANSWER_BYTES]) {
    ask();
    while (read < wanted) await once(client, 'data');
  }
  expect(client.destroyed).toBe(false);
  client.destroy();
});
