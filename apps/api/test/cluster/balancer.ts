import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomOf } from '@gantry/mcp-core/testing';

/** A node as the balancer sees it. */
export interface Target {
  readonly port: number;
  /** False takes it out of rotation, as a failed health check would. */
  readonly inRotation: boolean;
}

/** A proxy that sends each request to a node by chance, so that nothing can rely on meeting the same one again. */
export interface Balancer {
  /** Base of every URL, no trailing slash. */
  readonly url: string;
  /** Ports of the nodes that took a request, in order. */
  readonly taken: readonly number[];
  stop(): Promise<void>;
}

/**
 * @param targets asked for each request
 * @param seed of the choices; the same seed chooses the same for the same requests
 */
export async function startBalancer(targets: () => readonly Target[], seed: number): Promise<Balancer> {
  const random = randomOf(seed);
  const taken: number[] = [];
  const server = createServer((request, response) => {
    const candidates = shuffled(
      targets().filter(({ inRotation }) => inRotation),
      random,
    );
    pass(request, response, candidates, (port) => void taken.push(port));
  });
  // Long streams and silent ones are the point: only the two ends decide when to let go.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Tries the next node only where the one before refused the connection: only then has it surely done nothing. */
function pass(
  request: IncomingMessage,
  response: ServerResponse,
  [target, ...rest]: readonly Target[],
  took: (port: number) => void,
): void {
  if (target === undefined) {
    response.writeHead(502, { 'content-type': 'text/plain' }).end('no node takes a connection');
    return;
  }
  const onward = httpRequest(towards(target.port, request));
  let connected = false;
  onward.once('socket', (socket) =>
    socket.once('connect', () => {
      connected = true;
      took(target.port);
      request.pipe(onward);
    }),
  );
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    response.flushHeaders();
    answer.pipe(response);
    answer.once('close', () => answer.complete || response.destroy());
  });
  onward.on('error', () => {
    if (connected || response.destroyed) response.destroy();
    else pass(request, response, rest, took);
  });
  response.once('close', () => onward.destroy());
}

function towards(port: number, { method, url, headers }: IncomingMessage): RequestOptions {
  return { host: '127.0.0.1', port, method, path: url, headers, agent: false, setHost: false };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const rest = [...items];
  const order: T[] = [];
  while (rest.length > 0) order.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return order;
}
