import type { QueuedCall } from './queued-call.js';
import type { RunEnd, SourceFault } from './sandbox/messages.js';
import type { SandboxProcess } from './sandbox-process.js';

/** What the parser may use to check a source. */
const checkMemoryBytes = 64 * 1024 * 1024;

/** A syntax check in progress. */
export class CheckCall implements QueuedCall {
  readonly fault: Promise<SourceFault | undefined>;
  readonly label = 'a source check';
  readonly holdMs = 12_000;
  readonly memoryBytes = checkMemoryBytes;
  process?: SandboxProcess;
  private resolve!: (fault: SourceFault | undefined) => void;
  private reject!: (error: Error) => void;

  constructor(
    readonly id: number,
    readonly tenantId: string,
    private readonly source: string,
  ) {
    this.fault = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  request() {
    return { t: 'check', id: this.id, tenantId: this.tenantId, source: this.source } as const;
  }

  end(end: RunEnd): void {
    if (end.how === 'checked') this.resolve(end.fault);
    else if (end.how === 'limit') this.resolve({ message: 'the source takes too much time or memory to be parsed' });
    else
      this.reject(new Error(`The sandbox failed to check a source: ${end.how === 'crashed' ? end.detail : end.how}`));
  }

  fail(error: Error): void {
    this.reject(error);
  }

  refuse(why: string): void {
    this.reject(new Error(`The source could not be checked: ${why}`));
  }
}
