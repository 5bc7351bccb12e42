import { MCPError } from '../../jsonrpc/errors.js';
import type { CatalogueSnapshot, CatalogueTool } from '../../ports/catalogue.js';
import type { ChangeBus } from '../../ports/change-bus.js';
import type { EventLog } from '../../ports/event-log.js';
import { isJobOver, type Job, type JobCaller, type JobOwner, type JobSubmission, type Jobs } from '../../ports/jobs.js';
import { InputNeeded } from '../../ports/tool-runner.js';
import { fixtureTool, type Gate, text } from '../fixture-server.js';

/** Jobs that are run in this very process, by `fixtureRunner`, so that a test can hold their tools. */
export interface JobsSubject {
  readonly jobs: Jobs;
  /** The same jobs as another process has them, and the changes that are told there. */
  readonly elsewhere: Jobs;
  readonly changes: ChangeBus;
  readonly eventLog: EventLog;
  /** A hosted server with the tools that were given. */
  readonly server: string;
  readonly snapshot: CatalogueSnapshot;
  /** Another hosted server, with its own jobs. */
  readonly otherServer: { readonly server: string; readonly jobs: Jobs };
  close?(): Promise<void> | void;
}

export const QUESTION = {
  method: 'elicitation/create' as const,
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } },
};
export const YES = { result: { action: 'accept', content: { sure: true } } };

/** Tools named for what they provoke. */
export function contractTools(gate: Gate): CatalogueTool[] {
  const job = { job: true, task: 'optional' } as const;
  return [
    fixtureTool('echo', (args) => ({ ...text('echo'), structuredContent: args }), job),
    fixtureTool('fails', () => ({ ...text('no luck'), isError: true }), job),
    fixtureTool(
      'refuses',
      () => {
        throw new MCPError(-32001, 'no such order', { order: 7 });
      },
      job,
    ),
    fixtureTool(
      'waits',
      async (_args, { signal }) => {
        await gate.pass(signal);
        return text('waited');
      },
      job,
    ),
    fixtureTool(
      'asks',
      (_args, { inputs: { answers } }) =>
        'one' in answers && 'two' in answers
          ? text(JSON.stringify(answers))
          : new InputNeeded({ one: QUESTION, two: QUESTION }),
      job,
    ),
  ];
}

export const OWNER = 'key:contract';
const CALLER: JobCaller = {
  client: { revision: '2026-07-28', capabilities: { elicitation: {} } },
  principal: { kind: 'key', id: 'contract', scopes: ['mcp:call'] },
  requestId: 1,
};

/** What a test does with one set of jobs. */
export class JobsHand {
  readonly owner: JobOwner;
  #streams = 0;

  constructor(readonly subject: JobsSubject) {
    this.owner = { server: subject.server, owner: OWNER };
  }

  submission(tool: string, more: Partial<JobSubmission> = {}): JobSubmission {
    const { snapshot } = this.subject;
    const found = snapshot.tools.find(({ definition }) => definition.name === tool);
    if (found === undefined) throw new Error(`no tool ${tool}`);
    return { ...this.owner, snapshot, tool: found, arguments: {}, caller: CALLER, face: 'task', ...more };
  }

  async task(tool: string, more: Partial<JobSubmission> = {}): Promise<string> {
    return (await this.subject.jobs.submit(this.submission(tool, more))).job.id;
  }

  /** A call with the stream that its answer is to come on. */
  async call(tool: string, more: Partial<JobSubmission> = {}) {
    const { eventLog, jobs } = this.subject;
    const id = `${this.owner.server}-call-${++this.#streams}-${process.hrtime.bigint()}`;
    const reply = { key: { ...this.owner, id, alone: true } as const, stream: 'call', answers: true };
    await eventLog.open(reply.key, reply.stream, { maxEvents: 100, maxBytes: 1_000_000 });
    const { job } = await jobs.submit(this.submission(tool, { face: 'call', reply, ...more }));
    /** What was said on the stream, once it has ended. */
    const said = () =>
      new Promise<unknown[]>((resolve, reject) => {
        const events: unknown[] = [];
        const follower = {
          event: ({ data }: { data: string }) => void events.push(JSON.parse(data)),
          gap: () => reject(new Error('events are lost')),
          taken: () => reject(new Error('the stream was taken')),
          end: () => resolve(events),
        };
        Promise.resolve(eventLog.follow(reply.key, reply.stream, 0, follower)).then(
          (stop) => stop ?? reject(new Error('the stream is gone')),
          reject,
        );
      });
    return { id: job.id, said };
  }

  /** The job, as another process sees it, once it is as wanted; seen by its changes alone. */
  async when(id: string, wanted: (job: Job) => boolean): Promise<Job> {
    const { elsewhere, changes, server } = this.subject;
    let rung = true;
    let wake = () => {};
    const stop = changes.subscribe(server, (change) => {
      if (change.kind !== 'task' || change.id !== id) return;
      rung = true;
      wake();
    });
    try {
      for (;;) {
        rung = false;
        const job = await elsewhere.get(this.owner, id);
        if (job === undefined) throw new Error(`job ${id} is gone`);
        if (wanted(job)) return job;
        if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      stop();
    }
  }

  over(id: string): Promise<Job> {
    return this.when(id, ({ status }) => isJobOver(status));
  }
}
