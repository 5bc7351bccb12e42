import type { Clock, Timer } from '@gantry/mcp-core';

/** Progress of one job is stored this often at most; its callers are told each of it by the stream. */
const NOTE_MS = 250;
/** The first waits this long, in milliseconds: it is told first, and what ends sooner has it stored with its end. */
const FIRST_MS = 5;

export interface Note {
  readonly done: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

/** Stores the newest progress of a job, and never two at once. */
export class ProgressNotes {
  private waiting: Note | undefined;
  private timer: Timer | undefined;
  private writing: Promise<void> | undefined;
  private over = false;

  constructor(
    private readonly clock: Clock,
    private readonly store: (done: number, total?: number, message?: string) => Promise<void>,
  ) {}

  note(done: number, total: number | undefined, message: string | undefined): void {
    if (this.over) return;
    this.waiting = { done, total, message };
    if (this.timer === undefined && this.writing === undefined) this.writeIn(FIRST_MS);
  }

  /** Nothing is stored after this; resolves when what was begun is, with what was said last and not stored. */
  async end(): Promise<Note | undefined> {
    this.over = true;
    this.timer?.cancel();
    await this.writing;
    return this.waiting;
  }

  private write(): void {
    const note = this.waiting;
    this.waiting = undefined;
    if (note === undefined) return;
    this.writing = this.store(note.done, note.total, note.message)
      // The next one, or the end, brings it.
      .catch(() => {
        this.waiting ??= note;
      })
      .finally(() => {
        this.writing = undefined;
        if (!this.over) this.writeIn(NOTE_MS);
      });
  }

  private writeIn(ms: number): void {
    this.timer = this.clock.setTimer(ms, () => {
      this.timer = undefined;
      this.write();
    });
  }
}
