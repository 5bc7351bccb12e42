import type { JsonRpcRequest } from '../jsonrpc/messages.js';
import type { ChangeBus } from '../ports/change-bus.js';
import type { Job, ReplyStream, Submitted } from '../ports/jobs.js';

/**
 * How a request that became a job was answered. `joined`: it is an older job, whose end stands for this one's.
 * `answer`: the job's result, to be sent as this request's own. `shown`: the client has its answer already, or reads it
 * on a stream that goes on without this request.
 */
export type Relayed =
  | { readonly kind: 'joined'; readonly job: Job }
  | { readonly kind: 'answer'; readonly result: unknown }
  | { readonly kind: 'shown' };

/** What calls that run as jobs, and tasks, ask of the exchange that carries their request. */
export interface JobDesk {
  /** Changes of jobs are told here. */
  readonly changes: ChangeBus;
  /** Where a task of a session says what it has to say while it runs; none without a session. */
  readonly notices: ReplyStream | undefined;
  /** Why this request's client cannot be asked anything while it waits. */
  readonly unaskable: string | undefined;
  /**
   * Makes a stream for what a job will say to this request, submits it, and shows that stream as the request's answer.
   * A request that is cancelled, or whose client leaves where that gives it up, cancels its job.
   * @param keyed the caller may send the call again: the job outlives the connection in every revision
   * @throws MCPError the job's error, or what the submission was refused with
   */
  relay(submit: (reply: ReplyStream) => Promise<Submitted>, signal: AbortSignal, keyed: boolean): Promise<Relayed>;
  /** The request has become a job of its own, whose host accounts for it. */
  submitted(jobId: string): void;
  /** Sends a request to the client on this one's stream and waits for nothing: its answer finds its job by the id. */
  ask(request: JsonRpcRequest): void;
}
