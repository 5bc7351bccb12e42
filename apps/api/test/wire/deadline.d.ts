/** The promise, or an error that says what did not happen in time. */
export declare function within<T>(what: string, promise: Promise<T>, ms?: number): Promise<T>;
/** Items that arrive one by one, and readers that wait for one of them. */
export declare class Arrivals<T> {
  readonly all: T[];
  private readonly waiting;
  add(item: T): void;
  /** Tells of every item, those that are there already first. Returns the function that ends it. */
  each(told: (item: T) => void): () => void;
  /** The first item from `from` on that fits, there already or yet to come. */
  first(
    what: string,
    fits: (item: T) => boolean,
    {
      from,
      ms,
    }?: {
      from?: number | undefined;
      ms?: number | undefined;
    },
  ): Promise<T>;
}
//# sourceMappingURL=deadline.d.ts.map
