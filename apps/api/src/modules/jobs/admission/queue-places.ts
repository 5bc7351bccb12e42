import type { Clock, Timer } from '@gantry/mcp-core';
import type { JobEvents } from '../job-events.js';
import type { JobHandlers } from '../job-handlers.js';
import type { AdmissionRepository } from './admission.repository.js';

/** Places change with every job that is let in; those who wait hear of theirs this often at most. */
const TELL_MS = 2_000;
/** So many are told, those first who come next. */
const TOLD_MAX = 100;

export interface QueuePlacesOptions {
  readonly repository: Pick<AdmissionRepository, 'places'>;
  readonly handlers: JobHandlers;
  readonly events: JobEvents;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

/** Tells callers whose jobs wait which place they have; as a log message of a call, and as a change of a task. */
export class QueuePlaces {
  private timer: Timer | undefined;
  private closed = false;
  /** Which place a job was told, of those that wait: it hears of a place once. */
  private told = new Map<string, number>();

  constructor(private readonly options: QueuePlacesOptions) {}

  /** Places may have changed. */
  changed(): void {
    if (this.closed) return;
    this.timer ??= this.options.clock.setTimer(TELL_MS, () => {
      this.timer = undefined;
      this.tell().catch(this.options.onFault);
    });
  }

  close(): void {
    this.closed = true;
    this.timer?.cancel();
  }

  private async tell(): Promise<void> {
    const { repository, handlers, events, onFault } = this.options;
    const jobs = await repository.places(TOLD_MAX);
    const before = this.told;
    this.told = new Map(jobs.map(({ id, place }) => [id, place]));
    for (const job of jobs) {
      if (before.get(job.id) === job.place) continue;
      if (job.face === 'task') events.tell(job);
      else await handlers.handler?.waits(job, job.place)?.catch(onFault);
    }
  }
}
