/** Lets so many jobs run at once; the others wait for their turn, in the order they came. */
export class Gate {
  #running = 0;
  readonly #waiting: Array<() => void> = [];

  constructor(private readonly max: number) {}

  run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#running < this.max) return this.#start(job);
    return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#start(job));
  }

  #start<T>(job: () => Promise<T>): Promise<T> {
    this.#running++;
    const result = job();
    const done = () => {
      this.#running--;
      this.#waiting.shift()?.();
    };
    result.then(done, done);
    return result;
  }
}
