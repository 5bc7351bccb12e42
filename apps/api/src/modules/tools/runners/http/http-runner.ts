import type { HttpRunnerSpec } from '@gantry/contracts';
import { type ResourceOutcome, type RunContext, RunFailure, type ToolCall, type ToolOutcome } from '@gantry/mcp-core';
import {
  type BoundedBody,
  EgressFailure,
  type EgressGuard,
  EgressRefused,
  type EgressResponse,
  type HeaderPair,
} from '../../../../infra/egress/index.js';
import type { Compiled } from '../compiled.js';
import type { Arguments } from '../template/slots.js';
import { type AnswerContext, ERROR_BODY_BYTES, error, facts, isJson, isSuccess, outcomeOf } from './answer.js';
import { ArgumentRefused } from './argument-error.js';
import { draftRequest, finishRequest, type RequestDraft } from './build-request.js';
import { type ClientCredentials, ClientTokens, TokenRefused } from './client-tokens.js';
import { contentsOf } from './contents.js';
import type { HttpCaller } from './http-caller.js';
import { compileHttp, type HttpPlan } from './http-plan.js';
import { OpenedSecrets, type SecretMask, SecretRefused, type SecretSource } from './secrets.js';
import { type StreamContext, StreamedAnswer } from './streamed-answer.js';
import { streamedOutcome } from './streamed-outcome.js';

export interface HttpRunnerOptions {
  readonly guard: EgressGuard;
  readonly secrets: SecretSource;
  /** Longest answer after decompression, or event of one that is a stream, in bytes; default 16 MiB. */
  readonly maxResponseBytes?: number;
  /** Longest pause within an answer that is a stream; default 5 min. */
  readonly streamIdleMs?: number;
  readonly userAgent?: string;
  readonly now?: () => number;
}

/** What the backend did, for the call log. */
export interface UpstreamFacts {
  readonly status: number;
  readonly durationMs: number;
  /** Received, before decompression. */
  readonly bytes: number;
}

/** A resource to be read. */
export interface HttpRead {
  readonly uri: string;
  /** Of the document; what the backend says of its answer comes first. */
  readonly mimeType?: string | undefined;
  /** What stands for the arguments of a call. */
  readonly variables: Arguments;
  readonly timeoutMs: number;
}

interface HttpRequestFacts {
  readonly arguments: Arguments;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface Exchanged {
  readonly head: EgressResponse;
  readonly body: BoundedBody;
  readonly upstream: UpstreamFacts;
  readonly answer: Pick<AnswerContext, 'limit' | 'mask'>;
  readonly streamed: StreamedAnswer | undefined;
}

export type HttpOutcome = ToolOutcome & { readonly upstream?: UpstreamFacts };

const OAUTH = 'oauth2-client-credentials';
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** A stream may be so many times as long as its longest event: only one of them is held at a time. */
const STREAM_FACTOR = 4;
const STREAM_IDLE_MS = 300_000;

/** Runs tools that are one HTTP request. Whatever goes wrong outside of Gantry is an `isError` outcome in plain words. */
export class HttpRunner {
  private readonly defaults: readonly HeaderPair[];
  private readonly tokens: ClientTokens;

  constructor(private readonly options: HttpRunnerOptions) {
    this.tokens = new ClientTokens(options);
    this.defaults = [
      ['accept', 'application/json, text/*;q=0.9, */*;q=0.8'],
      ['accept-encoding', 'gzip, br'],
      ['user-agent', options.userAgent ?? 'gantry'],
    ];
  }

  /** Checks and prepares the `http` of a tool: at publish, and again before its first call. */
  compile(
    spec: HttpRunnerSpec,
    inputSchema: Readonly<Record<string, unknown>>,
    egressAllow: readonly string[] = [],
  ): Compiled<HttpPlan> {
    return compileHttp(spec, inputSchema, (url) => this.options.guard.checkUrlShape(url, egressAllow));
  }

  async run(
    plan: HttpPlan,
    call: Pick<ToolCall, 'tool' | 'arguments'>,
    context: Pick<RunContext, 'signal'> & StreamContext,
    caller: HttpCaller,
  ): Promise<HttpOutcome> {
    const { tool } = call;
    const subject = `Tool "${tool.definition.name}"`;
    const request = { arguments: call.arguments, timeoutMs: tool.timeoutMs, signal: context.signal };
    try {
      const { head, body, upstream, answer, streamed } = await this.exchange(plan, request, caller, context);
      const about = { ...answer, subject, toolName: tool.definition.name };
      const outcome =
        streamed === undefined ? outcomeOf(head, body, about) : streamedOutcome(streamed, head, body, about);
      return { ...outcome, upstream };
    } catch (thrown) {
      return error(wordsOf(thrown, plan, subject));
    }
  }

  /** Reads a resource. Whatever goes wrong outside of Gantry is a `RunFailure` in plain words. */
  async read(
    plan: HttpPlan,
    read: HttpRead,
    context: Pick<RunContext, 'signal'>,
    caller: HttpCaller,
  ): Promise<ResourceOutcome> {
    const subject = `Resource "${read.uri}"`;
    const request = { arguments: read.variables, timeoutMs: read.timeoutMs, signal: context.signal };
    let exchanged: Exchanged;
    try {
      exchanged = await this.exchange(plan, request, caller);
    } catch (thrown) {
      throw new RunFailure(wordsOf(thrown, plan, subject));
    }
    const { head, body, answer } = exchanged;
    return { contents: [contentsOf(head, body, { ...answer, subject }, read)] };
  }

  private async exchange(
    plan: HttpPlan,
    facts: HttpRequestFacts,
    caller: HttpCaller,
    listener?: StreamContext,
  ): Promise<Exchanged> {
    const { maxResponseBytes: limit = MAX_RESPONSE_BYTES } = this.options;
    const draft = draftRequest(plan, facts.arguments);
    const begun = performance.now();
    const { head, secrets } = await this.send(plan, draft, facts, caller);
    const mask = secrets.mask();
    const streamed = listener && streamOf(plan, head, { limit, mask }, listener);
    const most = isSuccess(head.status) ? limit * (streamed ? STREAM_FACTOR : 1) : Math.min(limit, ERROR_BODY_BYTES);
    const body = await head.read(most, streamed && ((bytes) => streamed.push(bytes)));
    const upstream = { status: head.status, durationMs: performance.now() - begun, bytes: body.wireBytes };
    return { head, body, upstream, answer: { limit: most, mask }, streamed };
  }

  /** What a backend does not take a kept token for is asked once more, with one that is new. */
  private async send(
    plan: HttpPlan,
    draft: RequestDraft,
    facts: HttpRequestFacts,
    caller: HttpCaller,
  ): Promise<{ head: EgressResponse; secrets: OpenedSecrets }> {
    const { guard, secrets: source } = this.options;
    const { auth } = plan;
    const { arguments: args, signal, timeoutMs } = facts;
    const secrets = await OpenedSecrets.open(source, caller.tenantId, plan.secretNames, draft.url);
    const token = auth?.type === OAUTH ? await this.tokens.get(auth, caller, signal) : undefined;
    if (token !== undefined) secrets.holdToken((auth as ClientCredentials).secret, token.value);
    const head = await guard.request({
      ...finishRequest(plan, draft, args, secrets, this.defaultsOf(plan)),
      method: plan.method,
      tenantId: caller.tenantId,
      allow: caller.egressAllow,
      secretHeaders: plan.secretHeaders,
      secretValues: secrets.texts(),
      signal,
      timeoutMs,
      ...(plan.stream && { idleMs: this.options.streamIdleMs ?? STREAM_IDLE_MS }),
    });
    if (head.status !== 401 || token === undefined || token.fresh) return { head, secrets };
    head.discard();
    await this.tokens.drop(auth as ClientCredentials, caller, token.value);
    return this.send(plan, draft, facts, caller);
  }

  private defaultsOf({ stream }: HttpPlan): readonly HeaderPair[] {
    if (stream === undefined) return this.defaults;
    const accept = stream === 'sse' ? 'text/event-stream' : 'application/x-ndjson, application/json;q=0.9';
    return this.defaults.map((pair) => (pair[0] === 'accept' ? ['accept', accept] : pair));
  }
}

/** Undefined for an answer that is to be taken as a whole. */
function streamOf(
  { stream }: HttpPlan,
  head: EgressResponse,
  { limit, mask }: { readonly limit: number; readonly mask: SecretMask },
  listener: StreamContext,
): StreamedAnswer | undefined {
  if (stream === undefined || !isSuccess(head.status)) return undefined;
  // Some backends answer at once, without a stream, what takes no time. Lines of JSON may call themselves JSON.
  if (stream === 'sse' && isJson(facts(head, mask).type)) return undefined;
  return new StreamedAnswer(stream, limit, listener, mask);
}

/** What keeps a request from being sent. */
const REFUSALS = [ArgumentRefused, SecretRefused, TokenRefused, EgressRefused];

/** @throws what is a fault of ours. */
function wordsOf(thrown: unknown, plan: HttpPlan, subject: string): string {
  if (REFUSALS.some((refusal) => thrown instanceof refusal)) {
    return `${subject} was not run: ${(thrown as Error).message}.`;
  }
  if (!(thrown instanceof EgressFailure)) throw thrown;
  const safe = plan.method === 'GET' || plan.method === 'HEAD';
  const doubt = thrown.sent && !safe ? ' Whether the request took effect is unknown; it was not sent again.' : '';
  if (thrown.kind === 'timeout') return `${subject} stopped at its time limit: ${thrown.message}.${doubt}`;
  return `${subject} failed: ${thrown.message}.${doubt}`;
}
