import type { HttpAuth } from '@gantry/contracts';
import type { HeaderPair } from '../../../../infra/egress/index.js';
import { type Arguments, argument, valueText } from '../template/slots.js';
import { ArgumentRefused } from './argument-error.js';
import { encodePair, wellFormed } from './encode.js';
import { checkHeaderValue, fillHeader } from './headers.js';
import { authHeaderName, type HttpPlan } from './http-plan.js';
import type { OpenedSecrets } from './secrets.js';

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
  readonly body: string | undefined;
}

/**
 * Everything of a request that needs no secret, so that a wrong argument opens none.
 * @throws ArgumentRefused
 */
export function draftRequest(plan: HttpPlan, args: Arguments): RequestDraft {
  const rest = Object.entries(args).filter(([name]) => !plan.mapped.has(name));
  const pairs = plan.query.flatMap(({ name, only, text }) =>
    only === undefined ? [encodePair(name, text.fill(args))] : queryPairs(name, argument(args, only)),
  );
  if (plan.rest === 'query') for (const [name, value] of rest) pairs.push(...queryPairs(name, value));
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
  const body = draft.hasBody ? encodeBody(draft.body, contentType) : undefined;
  if (body !== undefined && contentType === undefined) headers.push(['content-type', 'application/json']);
  for (const [name, value] of defaults) if (given(name.toLowerCase()) === undefined) headers.push([name, value]);
  return { url: urlOf(plan, draft, args, secrets), headers, body };
}

function urlOf(plan: HttpPlan, draft: RequestDraft, args: Arguments, secrets: OpenedSecrets): string {
  if (plan.auth?.type !== 'query') return draft.url;
  return plan.url.expand(args, [...draft.pairs, encodePair(plan.auth.name, secrets.value(plan.auth.secret))]);
}

/** A list repeats its name, an object is JSON, nothing is no parameter. */
function queryPairs(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item) => encodePair(name, valueText(item)));
  return [encodePair(name, valueText(value))];
}

function authHeader(auth: HttpAuth, secrets: OpenedSecrets): HeaderPair | undefined {
  const name = authHeaderName(auth);
  if (name === undefined) return undefined;
  const secret = secrets.value(auth.secret);
  switch (auth.type) {
    case 'basic': {
      const credential = auth.username === undefined ? secret : `${auth.username}:${secret}`;
      return [name, `Basic ${Buffer.from(credential).toString('base64')}`];
    }
    case 'bearer':
      return [name, `Bearer ${checkHeaderValue(name, secret)}`];
    default:
      return [name, checkHeaderValue(name, secret)];
  }
}

/** JSON, unless the tool's own Content-Type says form or text and the value has that form. */
function encodeBody(value: unknown, contentType: string | undefined): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (
    type === 'application/x-www-form-urlencoded' &&
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value)
  ) {
    return Object.entries(value)
      .flatMap(([name, member]) => queryPairs(name, member))
      .join('&');
  }
  if (typeof value === 'string' && type !== '' && !/^application\/([a-z0-9.+-]*\+)?json$/.test(type)) {
    return wellFormed(value);
  }
  if (type.startsWith('multipart/')) throw new ArgumentRefused('a multipart body cannot be made from arguments');
  return JSON.stringify(value);
}
