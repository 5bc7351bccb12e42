import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromSandbox, ToSandbox } from './sandbox/messages.js';

/** What is kept of a process's stderr, to say why it ended. */
const stderrTail = 4_096;
const closeMs = 1_000;

export interface SandboxProcessOptions {
  readonly entry: URL;
  readonly threads: number;
  readonly guestsPerThread: number;
  readonly memoryBytes: number;
  readonly onMessage: (message: FromSandbox, from: SandboxProcess) => void;
  readonly onExit: (from: SandboxProcess) => void;
}

/** One child process with its threads: no environment, no stdin, stdout thrown away, a bounded tail of stderr. */
export class SandboxProcess {
  /** Calls that it can hold, and calls that it holds. */
  places = 0;
  guests = 0;
  readonly spawnedAt = performance.now();
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private stderr = '';
  private gone = false;
  private doubt: NodeJS.Timeout | undefined;

  constructor(options: SandboxProcessOptions) {
    const settings = [options.threads, options.guestsPerThread, options.memoryBytes].map(String);
    this.child = fork(fileURLToPath(options.entry), settings, {
      env: {},
      execArgv: ['--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'json',
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-stderrTail);
    });
    this.child.on('message', (message) => {
      clearTimeout(this.doubt);
      this.doubt = undefined;
      options.onMessage(message as FromSandbox, this);
    });
    // A failed send or kill is followed by the exit, which is what counts.
    this.child.on('error', () => {});
    this.exited = new Promise((resolve) => {
      const ended = () => {
        this.gone = true;
        clearTimeout(this.doubt);
        resolve();
        options.onExit(this);
      };
      if (this.child.pid === undefined) queueMicrotask(ended);
      else this.child.once('exit', ended);
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get fate(): string {
    const how = this.child.signalCode ?? `code ${this.child.exitCode}`;
    return this.stderr ? `${how}: ${this.stderr.trim()}` : how;
  }

  send(message: ToSandbox): void {
    if (this.child.connected) this.child.send(message, () => {});
  }

  /** Places that would take a call now. */
  get free(): number {
    return this.gone || this.doubt ? 0 : this.places - this.guests;
  }

  /** It did not do what it was asked: it is given nothing, and killed unless it is heard of in this time. */
  suspect(ms: number): void {
    this.doubt ??= setTimeout(() => this.kill(), ms);
  }

  kill(): void {
    this.gone = true;
    this.child.kill('SIGKILL');
  }

  /** Asks the process to end, and ends it. */
  async close(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    const timer = setTimeout(() => this.kill(), closeMs);
    await this.exited;
    clearTimeout(timer);
  }
}
