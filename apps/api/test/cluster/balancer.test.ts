import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../harness/node-process.js';
import { ask, send } from '../wire/exchange.js';
import { startBalancer, type Target } from './balancer.js';

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** A node that answers with its own name and what it was sent, in two events. */
async function node(name: string): Promise<Target> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ name, body, host: request.headers.host })}\n\n`);
    if (request.url === '/cut') request.socket.destroy();
    else if (request.url !== '/open') response.end();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUp.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, inRotation: true };
}

async function balancer(targets: readonly Target[], seed = 1) {
  const started = await startBalancer(() => targets, seed);
  cleanUp.push(() => started.stop());
  return started;
}

const nameIn = async (url: string) => {
  const answer = await ask(url, { body: 'x' });
  await answer.ended();
  return answer.messages[0].name;
};

describe('the balancer', () => {
  it('sends requests to every node, and the same ones again for the same seed', async () => {
    const nodes = [await node('a'), await node('b'), await node('c')];
    const names = async () => {
      const { url } = await balancer(nodes, 7);
      const all = [];
      for (let i = 0; i < 30; i += 1) all.push(await nameIn(url));
      return all;
    };
    const first = await names();
    expect(new Set(first)).toEqual(new Set(['a', 'b', 'c']));
    expect(await names()).toEqual(first);
  });

  it('passes events as they come, with the body and the Host of the client', async () => {
    const { url } = await balancer([await node('a')]);
    const answer = await ask(`${url}/open`, { body: 'sent' });
    const { message } = await answer.frames.first('an event', ({ data }) => data !== undefined);
    expect(message).toEqual({ name: 'a', body: 'sent', host: new URL(url).host });
    answer.destroy();
  });

  it('tries another node where one refuses the connection, and none out of rotation', async () => {
    const gone = { port: await freePort(), inRotation: true };
    const { url, taken } = await balancer([gone, await node('a'), { ...(await node('b')), inRotation: false }]);
    for (let i = 0; i < 10; i += 1) expect(await nameIn(url)).toBe('a');
    expect(taken).not.toContain(gone.port);
    const alone = await balancer([gone]);
    expect((await send(alone.url).answer).status).toBe(502);
  });

  it('breaks the connection to the client when that to the node breaks', async () => {
    const { url } = await balancer([await node('a')]);
    const answer = await send(`${url}/cut`).answer.catch(() => undefined);
    if (answer) await expect(answer.text).rejects.toThrow();
  });
});
