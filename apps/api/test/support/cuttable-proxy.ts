import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy before a service, so that a test can take the service away from one of its clients. */
export interface CuttableProxy {
  readonly port: number;
  /** `url` with the proxy in place of the service. */
  through(url: string): string;
  /** Breaks every connection, and refuses new ones until `restore`. */
  cut(): void;
  /** Keeps every connection and lets nothing through, either way, until `restore`. */
  stall(): void;
  restore(): void;
  stop(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly service: Socket;
}

/** @param url of the service, with a port; only its address is used */
export async function startCuttableProxy(url: string): Promise<CuttableProxy> {
  const { hostname, port: servicePort } = new URL(url);
  const pairs = new Set<Pair>();
  let mode: 'open' | 'cut' | 'stalled' = 'open';
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (mode === 'cut') return void client.resetAndDestroy();
    const service = connect(Number(servicePort), hostname);
    service.on('error', () => undefined);
    const pair = { client, service };
    pairs.add(pair);
    const over = () => {
      pairs.delete(pair);
      client.destroy();
      service.destroy();
    };
    client.once('close', over);
    service.once('close', over);
    if (mode === 'open') join(pair);
    else hold(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    mode = 'cut';
    for (const { client } of [...pairs]) client.resetAndDestroy();
  };
  return {
    port,
    through(address) {
      const there = new URL(address);
      there.host = `127.0.0.1:${port}`;
      return there.toString();
    },
    cut,
    stall() {
      mode = 'stalled';
      for (const pair of pairs) hold(pair);
    },
    restore() {
      // Piped twice, everything would be said twice.
      if (mode === 'stalled') for (const pair of pairs) join(pair);
      mode = 'open';
    },
    async stop() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function join({ client, service }: Pair): void {
  client.pipe(service);
  service.pipe(client);
}

function hold({ client, service }: Pair): void {
  client.unpipe(service).pause();
  service.unpipe(client).pause();
}
