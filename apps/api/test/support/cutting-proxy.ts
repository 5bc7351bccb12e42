import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Pair {
  /** Of whoever connected to the proxy. */
  readonly near: Socket;
  /** Of the service. */
  readonly far: Socket;
}

/**
 * A TCP proxy before a service, so that a test can take the service away from one of its clients, or lose an answer: the
 * service has had the request, and whoever asked hears a broken connection.
 */
export class CuttingProxy {
  /** Answers that were lost. */
  cuts = 0;
  #mode: 'open' | 'cut' | 'stalled' = 'open';
  #marker: string | undefined;
  #staysCut = false;
  readonly #pairs = new Set<Pair>();
  readonly #server = createServer((socket) => this.#join(socket));

  private constructor(
    private readonly targetHost: string,
    private readonly targetPort: number,
  ) {}

  /** @param target the port of a service on this machine, or its URL, of which only the address is used */
  static async start(target: number | string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(typeof target === 'number' ? `tcp://127.0.0.1:${target}` : target);
    const proxy = new CuttingProxy(hostname, Number(port));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** `url` with the proxy in place of the service. */
  through(url: string): string {
    const there = new URL(url);
    there.host = `127.0.0.1:${this.port}`;
    return there.toString();
  }

  /** Breaks every connection, and refuses new ones until `reopen`. */
  cut(): void {
    this.#mode = 'cut';
    for (const { near } of [...this.#pairs]) near.resetAndDestroy();
  }

  /** Keeps every connection and lets nothing through, either way, until `reopen`. */
  stall(): void {
    this.#mode = 'stalled';
    this.#hold();
  }

  /** Keeps the connections there are and lets nothing through on them; new ones are as good as ever. */
  strand(): void {
    this.#hold();
  }

  /**
   * The answer to the next request that holds this text gets lost.
   * @param staysCut let nobody connect again until `reopen`
   */
  loseAnswerTo(marker: string, staysCut = false): void {
    this.#marker = marker;
    this.#staysCut = staysCut;
  }

  reopen(): void {
    this.#mode = 'open';
    for (const { near, far } of this.#pairs) {
      near.resume();
      far.resume();
    }
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #hold(): void {
    for (const { near, far } of this.#pairs) {
      near.pause();
      far.pause();
    }
  }

  #join(near: Socket): void {
    near.on('error', () => {});
    if (this.#mode === 'cut') return void near.resetAndDestroy();
    const far = connect(this.targetPort, this.targetHost).on('error', () => {});
    const pair = { near, far };
    this.#pairs.add(pair);
    const over = () => {
      this.#pairs.delete(pair);
      near.destroySoon();
      far.destroySoon();
    };
    near.once('close', over);
    far.once('close', over);
    this.#carry(pair);
    if (this.#mode === 'stalled') this.#hold();
  }

  #carry({ near, far }: Pair): void {
    let cutting = false;
    near.on('data', (data) => {
      if (this.#marker !== undefined && data.includes(this.#marker)) {
        this.#marker = undefined;
        cutting = true;
      }
      far.write(data);
    });
    far.on('data', (data) => {
      if (!cutting) return void near.write(data);
      this.cuts++;
      if (this.#staysCut) this.#mode = 'cut';
      near.destroy();
    });
  }
}
