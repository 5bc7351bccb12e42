const DEADLINE_MS = 10_000;
/** The promise, or an error that says what did not happen in time. */
export function within(what, promise, ms = DEADLINE_MS) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
/** Items that arrive one by one, and readers that wait for one of them. */
export class Arrivals {
  all = [];
  waiting = new Set();
  add(item) {
    this.all.push(item);
    for (const look of [...this.waiting]) look();
  }
  /** Tells of every item, those that are there already first. Returns the function that ends it. */
  each(told) {
    let next = 0;
    const look = () => {
      while (next < this.all.length) told(this.all[next++]);
    };
    this.waiting.add(look);
    look();
    return () => void this.waiting.delete(look);
  }
  /** The first item from `from` on that fits, there already or yet to come. */
  async first(what, fits, { from = 0, ms = DEADLINE_MS } = {}) {
    let look = () => {};
    const found = new Promise((resolve) => {
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
//# sourceMappingURL=deadline.js.map
