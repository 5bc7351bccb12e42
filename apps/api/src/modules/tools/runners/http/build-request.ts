import type { HttpAuth } from '@gantry/contracts';
import type { HeaderPair } from '../../../../infra/egress/index.js';
import { type Arguments, argument } from '../template/slots.js';
import { encodePair } from './encode.js';
import { bodyTypeOf, encodeBody } from './encode-body.js';
import { checkHeaderValue, fillHeader } from './headers.js';
import { authHeaderName, type HttpPlan } from './http-plan.js';
import { queryPairs } from './query-pairs.js';
import { type OpenedSecrets, tokenOf } from './secrets.js';

/** A request but for what its secrets add to it. */
export interface RequestDraft {
  readonly url: string;
  readonly pairs: readonly string[];
  readonly body: unknown;
  readonly hasBody: boolean;
}

export interface BuiltRequest {
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  readonly body: string | Uint8Array | undefined;
}

/**
 * Everything of a request that needs no secret, so that a wrong argument opens none.
 * @throws ArgumentRefused
 */
export function draftRequest(plan: HttpPlan, args: Arguments): RequestDraft {
  const rest = Object.entries(args).filter(([name]) => !plan.mapped.has(name));
  const styled = (name: string, value: unknown) => queryPairs(name, value, plan.queryStyles.get(name));
  const pairs = plan.query.flatMap(({ name, only, text }) =>
    only === undefined ? [encodePair(name, text.fill(args))] : styled(name, argument(args, only)),
  );
  if (plan.rest === 'query') for (const [name, value] of rest) pairs.push(...styled(name, value));
  const mappedBody = plan.body?.fill(args);
  return {
    url: plan.url.expand(args, pairs),
    pairs,
    body: plan.rest === 'body' ? Object.fromEntries(rest) : mappedBody,
    hasBody: plan.rest === 'body' || mappedBody !== undefined,
  };
}

/** @throws ArgumentRefused when a header or the body cannot be made. */
export function finishRequest(
  plan: HttpPlan,
  draft: RequestDraft,
  args: Arguments,
  secrets: OpenedSecrets,
  defaults: readonly HeaderPair[],
): BuiltRequest {
  const headers: HeaderPair[] = [];
  for (const template of plan.headers) {
    const value = fillHeader(template, args, secrets);
    if (value !== undefined) headers.push([template.name, value]);
  }
  const auth = plan.auth && authHeader(plan.auth, secrets);
  if (auth) headers.push(auth);
  const given = (name: string) => headers.find(([known]) => known.toLowerCase() === name)?.[1];
  const contentType = given('content-type');
  const body = draft.hasBody
    ? encodeBody(draft.body, plan.bodyType ?? bodyTypeOf(draft.body, contentType), contentType)
    : undefined;
  if (body !== undefined && contentType === undefined) headers.push(['content-type', body.contentType]);
  for (const [name, value] of defaults) if (given(name.toLowerCase()) === undefined) headers.push([name, value]);
  return { url: urlOf(plan, draft, args, secrets), headers, body: body?.bytes };
}

function urlOf(plan: HttpPlan, draft: RequestDraft, args: Arguments, secrets: OpenedSecrets): string {
  if (plan.auth?.type !== 'query') return draft.url;
  return plan.url.expand(args, [...draft.pairs, encodePair(plan.auth.name, secrets.value(plan.auth.secret))]);
}

function authHeader(auth: HttpAuth, secrets: OpenedSecrets): HeaderPair | undefined {
  const name = authHeaderName(auth);
  if (name === undefined) return undefined;
  const secret = secrets.value(auth.type === 'oauth2-client-credentials' ? tokenOf(auth.secret) : auth.secret);
  switch (auth.type) {
    case 'basic': {
      const credential = auth.username === undefined ? secret : `${auth.username}:${secret}`;
      return [name, `Basic ${Buffer.from(credential).toString('base64')}`];
    }
    case 'bearer':
    case 'oauth2-client-credentials':
      return [name, `Bearer ${checkHeaderValue(name, secret)}`];
    default:
      return [name, checkHeaderValue(name, secret)];
  }
}
