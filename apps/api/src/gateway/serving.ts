import type {
  CallRecord,
  HostContext,
  HostHooks,
  Jobs,
  MaybePromise,
  Principal,
  PromptRunner,
  Refusal,
  RequestCaller,
  ResourceRunner,
  SessionCap,
  ToolRunner,
} from '@gantry/mcp-core';
import type { Principal as Caller } from '../common/auth/principal.js';
import type { CallLog } from '../modules/calls/call-log.js';
import { ownerScope, tenantScope } from '../modules/sessions/session-scopes.js';
import type { StatelessClients, StatelessRequests } from '../modules/sessions/view/stateless-clients.js';
import type { HostedServer } from '../modules/tools/catalogue/hosted-servers.js';
import { serverKey } from '../modules/tools/catalogue/snapshot.js';
import type { CallLimits } from '../modules/usage/call-limits.js';
import type { EffectiveLimits, Refusal as LimitRefusal } from '../modules/usage/limits.js';
import type { ListenLimits } from '../modules/usage/listen-limits.js';
import { HostedJobs, type HostedJobsOptions } from './jobs/hosted-jobs.js';
import { insufficientScope, limitsAway, overLimit } from './refusals.js';

/** What every exchange shares: where calls run, are counted and are written down. */
export interface ServingParts {
  readonly runner: ToolRunner;
  readonly promptRunner: PromptRunner;
  readonly resourceRunner: ResourceRunner;
  readonly calls: CallLimits;
  readonly listens: ListenLimits;
  readonly log: CallLog;
  readonly clients: StatelessClients;
  readonly observe: (record: CallRecord) => void;
  readonly now: () => number;
  readonly jobs: HostedJobsOptions;
}

/** Methods that may run something of the tenant's: they count as calls for its limits. */
const RUNS = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Methods that make something happen, which reading is not enough for. */
const CALLS = new Set(['tools/call', 'tasks/update', 'tasks/cancel']);

export const anonymous: Principal = { kind: 'anonymous', id: 'anonymous', scopes: ['mcp:call'] };

/**
 * One caller at one hosted server, as mcp-core sees it. Made once for as long as both live: what a call costs
 * beyond the engine is the two look-ups in here.
 */
export class Serving implements HostContext, HostHooks {
  readonly server: string;
  readonly snapshot: HostContext['snapshot'];
  readonly owner: string;
  readonly runner: ToolRunner;
  readonly promptRunner: PromptRunner;
  readonly resourceRunner: ResourceRunner;
  readonly hooks: HostHooks = this;
  readonly sessionCaps: readonly SessionCap[];
  readonly jobs: Jobs;
  private readonly label: string;
  private readonly mayCall: boolean;
  private readonly stateless: StatelessRequests;

  constructor(
    private readonly hosted: HostedServer,
    readonly principal: Principal,
    readonly expiresAt: number | undefined,
    private readonly limits: EffectiveLimits,
    private readonly metadataUrl: string,
    private readonly source: 'mcp' | 'console',
    private readonly parts: ServingParts,
  ) {
    this.server = serverKey(hosted.published);
    this.snapshot = hosted.snapshot;
    this.label = ownerOf(principal);
    this.owner = this.label;
    const { tenantId } = hosted.published;
    this.sessionCaps = [
      { scope: tenantScope(tenantId), max: limits.sessions },
      { scope: ownerScope(tenantId, this.owner), max: limits.sessionsPerKey },
    ];
    this.stateless = parts.clients.caller(this.server, this.owner);
    this.runner = parts.runner;
    this.promptRunner = parts.promptRunner;
    this.resourceRunner = parts.resourceRunner;
    this.jobs = new HostedJobs(parts.jobs, hosted.published, limits.concurrentJobs, source);
    this.mayCall = principal.scopes.includes('mcp:call');
  }

  authorize(method: string): Refusal | undefined {
    if (!CALLS.has(method) || this.mayCall) return undefined;
    return insufficientScope(this.metadataUrl, 'mcp:call');
  }

  beforeCall(method: string, _tool: string | undefined, caller: RequestCaller): MaybePromise<Refusal | undefined> {
    if (!RUNS.has(method)) return undefined;
    if (caller.session === undefined) this.stateless.begun(caller.client);
    const refusal = this.parts.calls.enter(this.hosted.published.tenantId, this.limits);
    if (!(refusal instanceof Promise)) return refusal && overLimit(refusal);
    // Whoever cannot be counted is not let in.
    return refusal.then(
      (told) => told && overLimit(told),
      () => limitsAway,
    );
  }

  sessionsFull({ max }: SessionCap): Refusal {
    return overLimit({ limit: 'sessions', max, retryAfterSeconds: 5 });
  }

  afterCall(record: CallRecord): void {
    const { published } = this.hosted;
    if (record.admitted && RUNS.has(record.method)) this.parts.calls.leave(published.tenantId);
    this.parts.observe(record);
    this.countClient(record);
    // What ran as a job is written down by whoever ran it, with its own duration and end.
    if (record.method === 'ping' || record.jobId !== undefined) return;
    this.parts.log.record({
      tenantId: published.tenantId,
      server: published.serverSlug,
      finishedAt: this.parts.now(),
      tool: record.tool,
      method: record.method,
      status: record.status,
      durationMs: record.durationMs,
      era: record.era,
      client: clientLabel(record),
      principal: this.label,
      sessionId: record.sessionId,
      source: this.source,
    });
  }

  /** Requests without a session: those of stateless revisions, and all to a server that offers no sessions. */
  private countClient({ sessionId, method, status, client }: CallRecord): void {
    if (sessionId !== undefined || method === 'initialize') return;
    this.stateless.finished(client, status === 'error' || status === 'tool_error');
  }

  beforeListen(caller: RequestCaller): MaybePromise<Refusal | (() => void)> {
    this.stateless.begun(caller.client);
    const taken = this.parts.listens.take(this.hosted.published.tenantId, this.owner, this.limits.listens);
    return taken instanceof Promise ? taken.then(asGrant, () => limitsAway) : asGrant(taken);
  }
}

function asGrant(taken: LimitRefusal | (() => void)): Refusal | (() => void) {
  return typeof taken === 'function' ? taken : overLimit(taken);
}

/** In whose name sessions and streams are held. */
export function ownerOf({ kind, id }: Pick<Principal, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

/** What tools and logs may know of a caller; never the credential. */
export function principalOf(caller: Caller): Principal {
  if (caller.kind === 'key') return { kind: 'key', id: caller.id, scopes: caller.scopes };
  return { kind: caller.kind, id: caller.id, scopes: ['mcp:call'] };
}

function clientLabel({ client }: CallRecord): string | undefined {
  if (client.name === undefined) return undefined;
  return client.version === undefined ? client.name : `${client.name} ${client.version}`;
}
