import { deliveryOf } from '../transport/delivery.js';
import type { JobTransport } from '../transport/job-transport.js';
import type { AdmissionRepository, AdmittedJob } from './admission.repository.js';

export interface AdmissionOptions {
  readonly repository: AdmissionRepository;
  readonly transport: Pick<JobTransport, 'add'>;
  /** Jobs that a tenant without a limit of its own may have admitted at once. */
  readonly concurrent: number;
  /** Told when jobs wait and their places may have changed. */
  readonly moved: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Hands waiting jobs to the queue. It is asked to whenever something has changed that could let one in: a job was
 * submitted, or has ended, or a worker came or went. Asked while it runs, it runs once more.
 */
export class Admission {
  private running: Promise<void> | undefined;
  private again = false;

  constructor(private readonly options: AdmissionOptions) {}

  /** Does not reject, and need not be waited for. */
  run(): Promise<void> {
    if (this.running !== undefined) {
      this.again = true;
      return this.running;
    }
    this.running = this.rounds().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Hands one job to the queue that is admitted already. False when the queue is away. */
  async add({ id, attempts }: AdmittedJob): Promise<boolean> {
    try {
      await this.options.transport.add(deliveryOf(id, attempts));
      return true;
    } catch (error) {
      // It stays admitted in its row; `resume` hands it over when the queue is back.
      this.options.onFault(error);
      return false;
    }
  }

  /** Hands jobs over once more that the queue may not have, or have lost. It takes none twice. */
  async resume(olderThanMs: number): Promise<void> {
    await this.addAll(await this.options.repository.admitted(olderThanMs));
  }

  /** A queue that does not take one takes none of the others either: each would wait for it anew. */
  private async addAll(jobs: readonly AdmittedJob[]): Promise<void> {
    for (const job of jobs) if (!(await this.add(job))) return;
  }

  private async admit(): Promise<void> {
    const admitted = await this.options.repository.admit(this.options.concurrent);
    await this.addAll(admitted);
    this.options.moved();
  }

  private async rounds(): Promise<void> {
    do {
      this.again = false;
      try {
        if (await this.options.repository.anyWaits()) await this.admit();
      } catch (error) {
        this.options.onFault(error);
      }
    } while (this.again);
  }
}
