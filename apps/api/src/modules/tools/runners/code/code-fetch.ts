import { isUtf8 } from 'node:buffer';

/** A request of `ctx.fetch`, as the code wrote it: nothing of it has been checked. */
export interface CodeFetchRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /** Aborted when the call ends, however it ends. */
  readonly signal: AbortSignal;
  /** A longer body is refused: the host need not read on. */
  readonly maxBodyBytes: number;
}

export interface CodeFetchResponse {
  readonly status: number;
  readonly statusText?: string;
  /** The address that answered, after redirects. */
  readonly url?: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: Uint8Array;
}

/**
 * Sends a request for tenant code: through the egress guard, with `{{secret.NAME}}` filled in. The message of what it
 * rejects with is shown to the code, so it must name nothing that the tenant may not know.
 */
export type CodeFetch = (request: CodeFetchRequest) => Promise<CodeFetchResponse>;

/** Serves one host call: the request as the sandbox wrote it to the response as the sandbox reads it. */
export async function serveFetch(
  fetch: CodeFetch | undefined,
  requestJson: string,
  limits: Pick<CodeFetchRequest, 'signal' | 'maxBodyBytes'>,
): Promise<string> {
  if (!fetch) throw new Error('ctx.fetch is not available here');
  const { url, method, headers, text, base64 } = JSON.parse(requestJson) as Record<string, unknown>;
  if (!Array.isArray(headers) || !headers.every(isPair)) throw new Error('ctx.fetch: the headers cannot be read');
  const body = typeof text === 'string' ? text : typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
  const response = await fetch({
    url: String(url),
    method: String(method),
    headers,
    ...(body === undefined ? {} : { body }),
    ...limits,
  });
  if (response.body.byteLength > limits.maxBodyBytes) {
    throw new Error(`ctx.fetch: the response is longer than ${limits.maxBodyBytes} bytes`);
  }
  const bytes = Buffer.from(response.body.buffer, response.body.byteOffset, response.body.byteLength);
  return JSON.stringify({
    status: response.status,
    statusText: response.statusText ?? '',
    url: response.url ?? url,
    headers: Array.from(response.headers, ([name, value]) => [name.toLowerCase(), value]),
    ...(isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') }),
  });
}

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
