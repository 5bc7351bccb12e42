const DEADLINE_MS = 10_000;

/** The promise, or an error that says what did not happen in time. */
export function within<T>(what: string, promise: Promise<T>, ms = DEADLINE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Items that arrive one by one, and readers that wait for one of them. */
export class Arrivals<T> {
  readonly all: T[] = [];
  private readonly waiting = new Set<() => void>();

  add(item: T): void {
    this.all.push(item);
    for (const look of [...this.waiting]) look();
  }

  /** Tells of every item, those that are there already first. Returns the function that ends it. */
  each(told: (item: T) => void): () => void {
    let next = 0;
    const look = () => {
      while (next < this.all.length) told(this.all[next++] as T);
    };
    this.waiting.add(look);
    look();
    return () => void this.waiting.delete(look);
  }

  /** The first item from `from` on that fits, there already or yet to come. */
  async first(what: string, fits: (item: T) => boolean, { from = 0, ms = DEADLINE_MS } = {}): Promise<T> {
    let look = () => {};
    const found = new Promise<T>((resolve) => {
      look = () => {
        const item = this.all.slice(from).find(fits);
        if (item !== undefined) resolve(item);
      };
    });
    this.waiting.add(look);
    look();
    try {
      return await within(what, found, ms);
    } finally {
      this.waiting.delete(look);
    }
  }
}
