/**
 * Holds what is told until the turn of the event loop is over, and tells what was told more than once only once.
 * Order is that of the first telling.
 */
export class Bursts<T> {
  readonly #held = new Map<string, T>();
  #flushing: NodeJS.Immediate | undefined;

  constructor(private readonly tell: (value: T) => void) {}

  /** @param key equal for what is the same */
  add(key: string, value: T): void {
    if (!this.#held.has(key)) this.#held.set(key, value);
    this.#flushing ??= setImmediate(() => this.flush());
  }

  /** Tells at once what is held. */
  flush(): void {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    const values = [...this.#held.values()];
    this.#held.clear();
    for (const value of values) this.tell(value);
  }

  /** Forgets what is held. */
  drop(): void {
    this.#held.clear();
    this.flush();
  }
}
