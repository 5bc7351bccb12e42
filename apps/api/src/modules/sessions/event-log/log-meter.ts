/** What is counted. */
export interface LogMeter {
  /** Events that the log took from this node. */
  appended(count: number): void;
  /** Commands for one stream. */
  script(): void;
  /** A command was tried again. */
  retried(): void;
  /** A stream was read because the next event was not at hand. */
  read(): void;
  /** A look at a stream has found what no bell had told. */
  rescued(): void;
}

export const UNCOUNTED: LogMeter = { appended() {}, script() {}, retried() {}, read() {}, rescued() {} };
