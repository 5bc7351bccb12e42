import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Order {
  id: string;
  item: string;
  quantity: number;
  status: 'open' | 'shipped' | 'delivered';
}

const ORDERS_MAX = 1_000;
const BODY_MAX_BYTES = 64 * 1_024;

/** A little order service, so that the demo's HTTP tools have something real to call. It forgets on restart. */
export class DemoBackend {
  private readonly orders = new Map<string, Order>();
  private server: Server | undefined;

  constructor() {
    this.add({ id: '1001', item: 'Fountain pen', quantity: 1, status: 'delivered' });
    this.add({ id: '1002', item: 'Notebook, dotted', quantity: 5, status: 'shipped' });
    this.add({ id: '1003', item: 'Desk lamp', quantity: 2, status: 'open' });
  }

  /** Listens on `port` of loopback, or on a free one when that is taken. Resolves with the port in use. */
  async start(port: number): Promise<number> {
    const server = createServer((request, response) => {
      // A path that cannot be read: nothing has been answered yet.
      this.answer(request, response).catch(() => send(response, 400, { error: 'This path cannot be read.' }));
    });
    server.requestTimeout = 5_000;
    this.server = server;
    const listen = (wanted: number) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(wanted, '127.0.0.1', () => {
          server.removeListener('error', reject);
          resolve();
        });
      });
    await listen(port).catch(() => listen(0));
    return (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  private add(order: Order): void {
    if (this.orders.size >= ORDERS_MAX) {
      const oldest = this.orders.keys().next().value;
      if (oldest !== undefined) this.orders.delete(oldest);
    }
    this.orders.set(order.id, order);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://demo');
    const id = /^\/orders\/([^/]+)$/.exec(url.pathname)?.[1];
    if (request.method === 'GET' && url.pathname === '/orders') return this.list(url, response);
    if (request.method === 'GET' && id !== undefined) return this.get(decodeURIComponent(id), response);
    if (request.method === 'POST' && url.pathname === '/orders') return this.create(request, response);
    send(response, 404, { error: `There is no ${request.method} ${url.pathname}.` });
  }

  private list(url: URL, response: ServerResponse): void {
    const status = url.searchParams.get('status');
    const orders = [...this.orders.values()].filter((order) => status === null || order.status === status);
    send(response, 200, { orders });
  }

  private get(id: string, response: ServerResponse): void {
    const order = this.orders.get(id);
    if (order === undefined) send(response, 404, { error: `There is no order ${id}.` });
    else send(response, 200, order);
  }

  private async create(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    const { item, quantity } = (body ?? {}) as Partial<Order>;
    if (typeof item !== 'string' || typeof quantity !== 'number') {
      return send(response, 422, { error: 'An order needs an item (text) and a quantity (number).' });
    }
    const order: Order = { id: String(1001 + this.orders.size), item, quantity, status: 'open' };
    this.add(order);
    send(response, 201, order);
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_MAX_BYTES) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
