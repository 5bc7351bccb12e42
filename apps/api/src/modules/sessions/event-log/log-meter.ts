import type { Metrics } from '../../../infra/telemetry/metrics.js';

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
  /** A stream was ended here, because Redis has lost events that were shown already. */
  rolledBack(): void;
}

export const UNCOUNTED: LogMeter = {
  appended() {},
  script() {},
  retried() {},
  read() {},
  rescued() {},
  rolledBack() {},
};

/** Counts for whoever scrapes. */
export function logMeterOf(metrics: Pick<Metrics, 'counter'>): LogMeter {
  const count = (name: string, help: string) => metrics.counter(`session_log_${name}_total`, help);
  const appended = count('events', 'Events of sessions that the log in Redis took from this node');
  const script = count('writes', 'Commands to write to or read a stream in Redis');
  const retried = count('retries', 'Commands for streams that were tried again because Redis did not answer');
  const read = count('reads', 'Reads of a stream whose next event was not at hand');
  const rescued = count('rescues', 'Streams that had more to show than any message between nodes had told');
  const rolledBack = count('rollbacks', 'Streams ended because Redis has lost events that were shown already');
  return {
    appended,
    script: () => script(),
    retried: () => retried(),
    read: () => read(),
    rescued: () => rescued(),
    rolledBack: () => rolledBack(),
  };
}
