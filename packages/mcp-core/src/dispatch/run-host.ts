import type { ProgressToken } from '../protocol/types.js';
import type { HostContext } from './host.js';
import type { PreparedServer } from './prepared-server.js';
import type { RequestContext } from './request-context.js';

/** What a run has to know of whoever it runs for: a request that waits for it here, or a job. */
export interface RunFacts
  extends Pick<
    RequestContext,
    'revision' | 'client' | 'clock' | 'logger' | 'logThreshold' | 'announce' | 'closeStream' | 'runs'
  > {
  readonly host: Pick<HostContext, 'principal'>;
  readonly server: Pick<PreparedServer, 'snapshot'>;
}

/** Carries what a run says to its caller. */
export interface RunHost {
  /** Aborted when nobody wants the run any more. */
  readonly signal: AbortSignal;
  readonly extra: RunFacts;
  notify(method: string, params?: Record<string, unknown>): Promise<void>;
  /** False when it is too late for progress. */
  sendProgress(token: ProgressToken, progress: number, total?: number, message?: string): boolean;
}

/** What sealing and opening the state between rounds is bound by. */
export interface SealingContext {
  readonly method: string;
  readonly extra: Pick<RequestContext, 'clock' | 'sealer'> & {
    readonly host: Pick<HostContext, 'server' | 'owner' | 'principal'>;
  };
}

/** What preparing questions for a client takes. */
export type AskingContext = Pick<RequestContext, 'revision' | 'client' | 'ids'>;
