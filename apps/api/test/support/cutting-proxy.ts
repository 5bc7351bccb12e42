import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can lose an answer: the server has had the request, and whoever asked hears a broken connection. */
export class CuttingProxy {
  /** Answers that were lost. */
  cuts = 0;
  #marker: string | undefined;
  #staysCut = false;
  #refusing = false;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#join(socket));

  private constructor(private readonly target: number) {}

  static async start(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
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
    this.#refusing = false;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    if (this.#refusing) return void near.destroy();
    const far = connect(this.target, '127.0.0.1');
    let cutting = false;
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
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
      this.#refusing = this.#staysCut;
      near.destroy();
    });
  }
}
