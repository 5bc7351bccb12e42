import { createHash } from 'node:crypto';
import type { Params } from '../jsonrpc/messages.js';
import type { InputAnswer } from '../ports/tool-runner.js';
import { isJsonObject } from '../protocol/meta-keys.js';
import type { AskedQuestion } from './input-answers.js';
import { invalidParams } from './request-context.js';
import type { SealingContext } from './run-host.js';

/** How long a client may take for one round, in milliseconds. */
const ROUND_LIFETIME_MS = 600_000;
/** Characters that a sealed state may have. */
export const MAX_STATE_LENGTH = 64 * 1024;

/** What a request that asks leaves for its retry, which any node may serve. */
export interface RoundState {
  /** Rounds asked so far. */
  readonly round: number;
  readonly answers: Readonly<Record<string, InputAnswer>>;
  readonly kept: Readonly<Record<string, unknown>>;
  readonly requestState?: unknown;
  /** What this round asks, by key. */
  readonly asked: Readonly<Record<string, AskedQuestion>>;
}

type Sealed = RoundState & { readonly until: number };

/** @returns undefined when the state is larger than a client should have to carry */
export function sealState(run: SealingContext, params: Params, state: RoundState): string | undefined {
  const { clock, sealer } = run.extra;
  const sealed: Sealed = { ...state, until: clock.now() + ROUND_LIFETIME_MS };
  const text = JSON.stringify(sealed);
  if (text.length > MAX_STATE_LENGTH) return undefined;
  const state64 = sealer.seal(text, boundOf(run, params));
  return state64.length > MAX_STATE_LENGTH ? undefined : state64;
}

/**
 * What the request's `requestState` holds.
 * @throws MCPError -32602 when it is not one that this caller was given for this very request, lately
 */
export function openState(run: SealingContext, params: Params): RoundState {
  const { requestState } = params;
  const { clock, sealer } = run.extra;
  const text =
    typeof requestState === 'string' && requestState.length <= MAX_STATE_LENGTH
      ? sealer.open(requestState, boundOf(run, params))
      : undefined;
  const state = text === undefined ? undefined : (JSON.parse(text) as Sealed);
  if (state === undefined || state.until < clock.now()) {
    throw invalidParams('requestState is not valid for this request');
  }
  return state;
}

/** What a state is good for: one caller, one server, one method, one name or URI, the same arguments. */
function boundOf({ extra, method }: SealingContext, params: Params): string {
  const { server, owner, principal } = extra.host;
  const digest = createHash('sha256')
    .update(canonical(params.arguments ?? {}))
    .digest('base64url');
  const { name, uri } = params;
  return JSON.stringify([server, owner, principal.kind, principal.id, method, name, uri, digest]);
}

/** JSON text that is the same for the same value, whatever the order of its members. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
