import type { HttpRunnerSpec } from '@gantry/contracts';
import type { ToolCall, RunContext, ToolOutcome } from '@gantry/mcp-core';
import { EgressFailure, type EgressGuard, EgressRefused, type HeaderPair } from '../../../../infra/egress/index.js';
import type { Compiled } from '../compiled.js';
import { ERROR_BODY_BYTES, error, isSuccess, outcomeOf } from './answer.js';
import { ArgumentRefused } from './argument-error.js';
import { draftRequest, finishRequest } from './build-request.js';
import { compileHttp, type HttpPlan } from './http-plan.js';
import { OpenedSecrets, SecretRefused, type SecretSource } from './secrets.js';

export interface HttpRunnerOptions {
  readonly guard: EgressGuard;
  readonly secrets: SecretSource;
  /** Longest answer after decompression, in bytes; default 16 MiB. */
  readonly maxResponseBytes?: number;
  readonly userAgent?: string;
}

/** For whom a call is made. */
export interface HttpCaller {
  readonly tenantId: string;
  /** The tenant's egress exceptions. */
  readonly egressAllow: readonly string[];
}

/** What the backend did, for the call log. */
export interface UpstreamFacts {
  readonly status: number;
  readonly durationMs: number;
  /** Received, before decompression. */
  readonly bytes: number;
}

export type HttpOutcome = ToolOutcome & { readonly upstream?: UpstreamFacts };

const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Runs tools that are one HTTP request. Whatever goes wrong outside of Gantry is an `isError` outcome in plain words. */
export class HttpRunner {
  private readonly defaults: readonly HeaderPair[];

  constructor(private readonly options: HttpRunnerOptions) {
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
    context: Pick<RunContext, 'signal'>,
    caller: HttpCaller,
  ): Promise<HttpOutcome> {
    try {
      return await this.exchange(plan, call, context, caller);
    } catch (thrown) {
      return failureOf(thrown, plan, call);
    }
  }

  private async exchange(
    plan: HttpPlan,
    call: Pick<ToolCall, 'tool' | 'arguments'>,
    context: Pick<RunContext, 'signal'>,
    caller: HttpCaller,
  ): Promise<HttpOutcome> {
    const { guard, secrets: source, maxResponseBytes: limit = MAX_RESPONSE_BYTES } = this.options;
    const draft = draftRequest(plan, call.arguments);
    const secrets = await OpenedSecrets.open(source, caller.tenantId, plan.secretNames, draft.url);
    const request = finishRequest(plan, draft, call.arguments, secrets, this.defaults);
    const begun = performance.now();
    const head = await guard.request({
      ...request,
      method: plan.method,
      tenantId: caller.tenantId,
      allow: caller.egressAllow,
      secretHeaders: plan.secretHeaders,
      secretValues: secrets.texts(),
      signal: context.signal,
      timeoutMs: call.tool.timeoutMs,
    });
    const body = await head.read(isSuccess(head.status) ? limit : Math.min(limit, ERROR_BODY_BYTES));
    const upstream = { status: head.status, durationMs: performance.now() - begun, bytes: body.wireBytes };
    const outcome = outcomeOf(head, body, { toolName: call.tool.definition.name, limit, mask: secrets.mask() });
    return { ...outcome, upstream };
  }
}

/** @throws what is a fault of ours. */
function failureOf(thrown: unknown, plan: HttpPlan, call: Pick<ToolCall, 'tool'>): ToolOutcome {
  const { name } = call.tool.definition;
  if (thrown instanceof ArgumentRefused || thrown instanceof SecretRefused || thrown instanceof EgressRefused) {
    return error(`Tool "${name}" was not run: ${thrown.message}.`);
  }
  if (!(thrown instanceof EgressFailure)) throw thrown;
  const safe = plan.method === 'GET' || plan.method === 'HEAD';
  const doubt = thrown.sent && !safe ? ' Whether the request took effect is unknown; it was not sent again.' : '';
  if (thrown.kind === 'timeout') {
    return error(`Tool "${name}" stopped at its time limit: ${thrown.message}.${doubt}`);
  }
  return error(`Tool "${name}" failed: ${thrown.message}.${doubt}`);
}
