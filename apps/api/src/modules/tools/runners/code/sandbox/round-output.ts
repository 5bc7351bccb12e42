import type { RunEnd } from './messages.js';
import { keyFault, maxQuestions, questionFault } from './question-fault.js';

type Asking = Extract<RunEnd, { how: 'input-needed' }>;

/** What a run has to say if it ends with questions: those that it waits for, and what it keeps for later rounds. */
export class RoundOutput {
  private readonly questions = new Map<string, string>();
  private readonly kept = new Map<string, string>();
  private bytes = 0;

  constructor(private readonly outputBytes: number) {}

  /** The keys of the questions that the run waits for. */
  get waiting(): string[] {
    return [...this.questions.keys()];
  }

  get asks(): boolean {
    return this.questions.size > 0;
  }

  /** Notes a question; words say why it cannot be asked. */
  ask(key: string, json: string): string | undefined {
    const fault = keyFault(key) ?? questionFault(json);
    if (fault) return fault;
    if (this.questions.size >= maxQuestions) return `a run can wait for ${maxQuestions} questions at once`;
    return this.add(this.questions, key, json, 'the question is too large');
  }

  /** Keeps a result for later rounds; words say why it cannot be kept. */
  keep(key: string, json: string): string | undefined {
    return keyFault(key) ?? this.add(this.kept, key, json, 'its result is too large to be kept');
  }

  /** The end of a run that can do nothing but wait for its questions. */
  waits(): Asking {
    return { how: 'input-needed', requestsJson: objectJson(this.questions), keptJson: objectJson(this.kept) };
  }

  /** The end of a run that gave questions back; undefined when all of it is larger than the output may be. */
  returned(requestsJson: string, requestStateJson: string | undefined): Asking | undefined {
    const bytes = this.bytes + Buffer.byteLength(requestsJson) + Buffer.byteLength(requestStateJson ?? '');
    if (bytes > this.outputBytes) return undefined;
    return { how: 'input-needed', requestsJson, keptJson: objectJson(this.kept), requestStateJson };
  }

  private add(to: Map<string, string>, key: string, json: string, tooLarge: string): string | undefined {
    const bytes = Buffer.byteLength(key) + Buffer.byteLength(json);
    if (this.bytes + bytes > this.outputBytes) {
      return `${tooLarge}: questions and kept results of a run may have ${this.outputBytes} bytes together`;
    }
    this.bytes += bytes;
    to.set(key, json);
    return undefined;
  }
}

function objectJson(values: ReadonlyMap<string, string>): string {
  return `{${Array.from(values, ([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}
