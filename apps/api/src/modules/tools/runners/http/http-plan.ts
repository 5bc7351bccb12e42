import type { HttpAuth, HttpRunnerSpec, QueryStyle } from '@gantry/contracts';
import { pointer } from '../../../../common/http/json-faults.js';
import { type Compiled, Notes } from '../compiled.js';
import { compileJson, type JsonTemplate, onlySlot } from '../template/json-template.js';
import { parseSlots, TextTemplate } from '../template/slots.js';
import type { StreamKind } from './event-reader.js';
import { compileHeaders, type HeaderTemplate, headerNameFault, secretsIn } from './headers.js';
import { checkFiles } from './multipart.js';
import { UrlTemplate } from './url-template.js';

/** A query parameter; with `only` it is an argument of its own type and is left out when that is missing. */
export interface QueryTemplate {
  readonly name: string;
  readonly only: string | undefined;
  readonly text: TextTemplate;
}

/** An HTTP tool made ready to run. */
export interface HttpPlan {
  readonly method: HttpRunnerSpec['method'];
  readonly url: UrlTemplate;
  readonly query: readonly QueryTemplate[];
  /** By the name of the parameter. */
  readonly queryStyles: ReadonlyMap<string, QueryStyle>;
  readonly headers: readonly HeaderTemplate[];
  readonly body: JsonTemplate | undefined;
  /** By its Content-Type without it. */
  readonly bodyType: HttpRunnerSpec['bodyType'];
  /** Where arguments go that no mapping names. */
  readonly rest: 'query' | 'body' | 'none';
  /** Arguments that some mapping names. */
  readonly mapped: ReadonlySet<string>;
  /** How the answer is divided, if it is a stream. */
  readonly stream: StreamKind | undefined;
  readonly auth: HttpAuth | undefined;
  readonly secretNames: ReadonlySet<string>;
  /** Lower-case names of the headers that hold secrets. */
  readonly secretHeaders: ReadonlySet<string>;
}

/** What the egress guard says about a URL's text. */
export type UrlJudge = (url: string) => string | undefined;

/**
 * Checks and prepares the `http` of a tool; fault paths start at that object.
 * Arguments outside every mapping go to the query of GET, HEAD and DELETE and to a JSON body otherwise, unless that
 * place has a mapping of its own.
 */
export function compileHttp(
  spec: HttpRunnerSpec,
  inputSchema: Readonly<Record<string, unknown>>,
  judge: UrlJudge,
): Compiled<HttpPlan> {
  const notes = new Notes();
  const url = UrlTemplate.compile(spec.url, '/url', notes);
  const refused = url && judge(url.base);
  if (refused) notes.fault('/url', refused);
  const query = compileQuery(spec.query ?? {}, notes);
  const headers = compileHeaders(spec.headers ?? {}, '/headers', notes);
  const body = compileBody(spec, notes);
  checkBodyType(spec, headers, notes);
  checkAuth(spec, headers, judge, notes);
  const rest = restOf(spec);
  const mapped = new Set<string>(url?.slots);
  for (const field of query) for (const name of field.text.slots) mapped.add(name);
  for (const { parts } of headers) for (const part of parts) if (part.kind === 'argument') mapped.add(part.name);
  for (const name of body?.slots ?? []) mapped.add(name);
  warnUnmapped(inputSchema, mapped, rest, notes);
  const secrets = secretsIn(headers);
  // A client's secret goes to its token server alone.
  if (spec.auth && spec.auth.type !== 'oauth2-client-credentials') secrets.names.add(spec.auth.secret);
  const authHeader = authHeaderName(spec.auth);
  if (authHeader) secrets.headers.add(authHeader.toLowerCase());
  return notes.result(() => ({
    method: spec.method,
    url: url as UrlTemplate,
    query,
    queryStyles: new Map(Object.entries(spec.queryStyles ?? {})),
    headers,
    body,
    bodyType: spec.bodyType,
    rest,
    mapped,
    stream: spec.stream === 'none' ? undefined : spec.stream,
    auth: spec.auth,
    secretNames: secrets.names,
    secretHeaders: secrets.headers,
  }));
}

const bodyless = (method: string) => method === 'GET' || method === 'HEAD' || method === 'DELETE';

function restOf({ method, query, body }: HttpRunnerSpec): HttpPlan['rest'] {
  const automatic = body === undefined || body === 'auto';
  if (bodyless(method)) return query === undefined && (automatic || body === 'none') ? 'query' : 'none';
  return automatic ? 'body' : 'none';
}

function compileQuery(query: Readonly<Record<string, string>>, notes: Notes): QueryTemplate[] {
  return Object.entries(query).map(([name, value]) => {
    const parts = parseSlots(value, `/query${pointer(name)}`, false, notes);
    return { name, only: onlySlot(parts), text: new TextTemplate(parts) };
  });
}

function compileBody({ method, body }: HttpRunnerSpec, notes: Notes): JsonTemplate | undefined {
  if (body === undefined || body === 'auto' || body === 'none') return undefined;
  if (method === 'GET' || method === 'HEAD') {
    notes.fault('/body', `a ${method} request has no body: expected "auto" or "none"`);
    return undefined;
  }
  return compileJson(body, '/body', { keepTypes: true }, notes);
}

function checkBodyType(
  { method, body, bodyType }: HttpRunnerSpec,
  headers: readonly HeaderTemplate[],
  notes: Notes,
): void {
  if (bodyType === undefined) return;
  if (method === 'GET' || method === 'HEAD' || body === 'none') {
    notes.fault('/bodyType', 'this request has no body: expected no "bodyType"');
  }
  if (bodyType === 'multipart' && headers.some(({ name }) => name.toLowerCase() === 'content-type')) {
    notes.fault('/headers', 'the Content-Type of a multipart body names its boundary, and is set with each request');
  }
  if (bodyType === 'multipart' && typeof body === 'object' && body !== null) checkFiles(body, '/body', notes);
  if (bodyType === 'binary' && (typeof body !== 'string' || body === 'auto')) {
    notes.fault('/body', 'a binary body is one text of base64: expected a template, e.g. "{file}"');
  }
}

/** The header an auth fills, undefined for none. */
export function authHeaderName(auth: HttpAuth | undefined): string | undefined {
  if (auth === undefined || auth.type === 'query') return undefined;
  return auth.type === 'header' ? auth.name : 'Authorization';
}

function checkAuth(
  { auth, query }: HttpRunnerSpec,
  headers: readonly HeaderTemplate[],
  judge: UrlJudge,
  notes: Notes,
): void {
  if (auth?.type === 'query' && query && Object.hasOwn(query, auth.name)) {
    notes.fault('/auth/name', `the query parameter "${auth.name}" is set by "query" as well`);
  }
  if (auth?.type === 'basic' && auth.username?.includes(':')) {
    notes.fault('/auth/username', 'a user name may not hold a colon');
  }
  const refused = auth?.type === 'oauth2-client-credentials' ? judge(auth.tokenUrl) : undefined;
  if (refused) notes.fault('/auth/tokenUrl', refused);
  const name = authHeaderName(auth);
  if (name === undefined) return;
  const fault = headerNameFault(name);
  if (fault) notes.fault('/auth/name', fault);
  if (headers.some((header) => header.name.toLowerCase() === name.toLowerCase())) {
    notes.fault('/auth', `the header "${name}" is set by "headers" as well`);
  }
}

function warnUnmapped(
  schema: Readonly<Record<string, unknown>>,
  mapped: ReadonlySet<string>,
  rest: HttpPlan['rest'],
  notes: Notes,
): void {
  const { properties } = schema;
  if (rest !== 'none' || typeof properties !== 'object' || properties === null) return;
  for (const name of Object.keys(properties)) {
    if (!mapped.has(name)) notes.warn('', `the argument "${name}" is used by no mapping and will not be sent`);
  }
}
