/** A network between an endpoint and its adapters: every call is answered by a promise, late or never well if told so. */
export class Network {
  /** Methods that fail from now on; `*` is all of them. */
  readonly away = new Set<string>();
  /** Methods whose answers, from now on, wait for `release`; `*` is all of them. */
  readonly slow = new Set<string>();
  #held: Array<() => void> = [];
  #asked: Array<{ method: string; resolve: () => void }> = [];

  /** The same port behind the network. A call takes effect when it is made; what comes late is its answer. */
  remote<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#call(String(name), () => member.apply(target, args));
      },
    });
  }

  /** Lets all answers go that were kept back, and keeps back no more. */
  release(): void {
    this.slow.clear();
    for (const go of this.#held.splice(0)) go();
  }

  /** Resolves when a method of that name is called next. */
  asked(method: string): Promise<void> {
    return new Promise((resolve) => this.#asked.push({ method, resolve }));
  }

  async #call(method: string, take: () => unknown): Promise<unknown> {
    const failed = this.away.has(method) || this.away.has('*');
    const slow = this.slow.has(method) || this.slow.has('*');
    const answer = failed ? undefined : take();
    const waiting = this.#asked.filter((each) => each.method === method);
    this.#asked = this.#asked.filter((each) => each.method !== method);
    for (const { resolve } of waiting) resolve();
    if (slow) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (failed) throw new Error('redis://secret is away');
    return answer;
  }
}
