import { TICKS } from './client.js';

/** What one session has been told on its standalone stream. */
export class Told {
  private readonly seen = new Set<string>();
  private last: number | undefined;

  constructor(private readonly ledger: Ledger) {}

  /**
   * A message to every session: its number, and which attempt to say it this was. A number may come again by a later
   * attempt, whose sender did not know that the one before had been heard.
   */
  hear({ number, attempt }: Said): void {
    // The queue says places to those who wait in it, by log messages as well.
    if (typeof number !== 'number') return;
    this.ledger.events += 1;
    const name = `${number}/${attempt}`;
    if (this.seen.has(name)) this.ledger.fault('doubled', `message ${name}`);
    else if (this.last !== undefined && number < this.last) {
      this.ledger.fault('reordered', `message ${name} after ${this.last}`);
    } else if (this.last !== undefined && number > this.last + 1) {
      this.ledger.fault('lost', `messages ${this.last + 1} to ${number - 1}`, number - this.last - 1);
    }
    this.seen.add(name);
    this.last = Math.max(this.last ?? 0, number);
  }

  /** The highest number heard so far. */
  get number(): number {
    return this.last ?? 0;
  }
}

/** A message to every session. */
export interface Said {
  readonly number: number;
  readonly attempt: number;
}

/** What one call reported of its progress. */
export class Progress {
  last = 0;

  constructor(private readonly ledger: Ledger) {}

  hear(progress: number): void {
    this.ledger.events += 1;
    if (progress <= this.last)
      this.ledger.fault(progress === this.last ? 'doubled' : 'reordered', `progress ${progress}`);
    else if (progress > this.last + 1) {
      this.ledger.fault('lost', `progress ${this.last + 1} to ${progress - 1}`, progress - this.last - 1);
    }
    this.last = Math.max(this.last, progress);
  }

  /** Its result has come: all of the progress has to have come before. */
  end(call: string): void {
    if (this.last >= TICKS) return;
    this.ledger.fault('lost', `progress ${this.last + 1} to ${TICKS} before the result of ${call}`, TICKS - this.last);
  }
}

type Fault = 'lost' | 'doubled' | 'reordered' | 'session lost' | 'other';

/** The books of a run: what happened, and what must not have. */
export class Ledger {
  events = 0;
  sessions = 0;
  kills = 0;
  workerKills = 0;
  /** Jobs of stateless callers that ended: with their result, or as unknown. */
  readonly jobs = { done: 0, unknown: 0 };
  cuts = 0;
  restarts = 0;
  /** Calls that ended with their result; with "outcome unknown"; whose connection was cut before it could be resumed. */
  readonly calls = { done: 0, unknown: 0, cut: 0 };
  /** How long each took from the end of a stream's connection to the next one. */
  readonly resumeMs: number[] = [];
  readonly faults: Record<Fault, number> = { lost: 0, doubled: 0, reordered: 0, 'session lost': 0, other: 0 };
  readonly firstFaults: string[] = [];
  /** What was done to the cluster, and when. */
  readonly deeds: string[] = [];
  private readonly startedAt = Date.now();

  fault(kind: Fault, what: string, count = 1): void {
    this.faults[kind] += count;
    if (this.firstFaults.length < 20) this.firstFaults.push(`${kind}, ${this.second()} s: ${what}`);
  }

  did(what: string): void {
    this.deeds.push(`${this.second()} s: ${what}`);
  }

  private second(): string {
    return ((Date.now() - this.startedAt) / 1_000).toFixed(1);
  }

  /** Within how many milliseconds this share of the streams was resumed. */
  resumed(share: number): number {
    const sorted = [...this.resumeMs].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }

  table(): string {
    const rows: [string, string | number][] = [
      ['sessions', this.sessions],
      ['events', this.events],
      ['calls done / outcome unknown / cut', `${this.calls.done} / ${this.calls.unknown} / ${this.calls.cut}`],
      ['jobs done / outcome unknown', `${this.jobs.done} / ${this.jobs.unknown}`],
      ['nodes killed', this.kills],
      ['workers killed', this.workerKills],
      ['Redis connections cut', this.cuts],
      ['Redis restarted', this.restarts],
      ['streams resumed', this.resumeMs.length],
      ['resume p50 / p99', `${this.resumed(0.5).toFixed(0)} / ${this.resumed(0.99).toFixed(0)} ms`],
      ...Object.entries(this.faults),
    ];
    return rows.map(([name, value]) => `${name.padEnd(38)}${String(value).padStart(16)}`).join('\n');
  }
}
