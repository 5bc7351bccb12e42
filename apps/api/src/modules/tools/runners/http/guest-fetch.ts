import { EgressFailure, type EgressGuard, EgressRefused, type HeaderPair } from '../../../../infra/egress/index.js';
import { Notes } from '../compiled.js';
import { type Part, parseSecrets } from '../template/slots.js';
import { ArgumentRefused } from './argument-error.js';
import { fillHeader, headerNameFault, secretsIn } from './headers.js';
import { OpenedSecrets, SecretRefused, type SecretSource } from './secrets.js';

/** A request of tenant code, unchecked. */
export interface GuestRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HeaderPair[];
  readonly body?: string | Uint8Array;
  readonly redirect?: 'follow' | 'manual' | 'error';
  readonly signal: AbortSignal;
  /** A longer answer is refused. */
  readonly maxBodyBytes?: number;
}

export interface GuestResponse {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: readonly HeaderPair[];
  /** Decompressed. */
  readonly body: Uint8Array;
}

/** A request that gave no answer; the message is for the code and names nothing the tenant may not know. */
export class GuestFetchError extends Error {
  override readonly name = 'GuestFetchError';
}

export interface GuestFetchOptions {
  readonly guard: EgressGuard;
  readonly secrets: SecretSource;
  /** Default 16 MiB. */
  readonly maxResponseBytes?: number;
  /** Default 4 MiB. */
  readonly maxRequestBytes?: number;
  /** For one request, body included; default 30 s. */
  readonly timeoutMs?: number;
  readonly userAgent?: string;
}

export interface GuestCaller {
  readonly tenantId: string;
  readonly egressAllow: readonly string[];
}

const MiB = 1024 * 1024;
/** They describe the transfer, which has ended; the body is given whole and decompressed. */
const transferHeaders = /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|trailer|upgrade)$/;

/** The host's side of the code tool's `ctx.fetch`: the same guard, limits and host-bound secrets as HTTP tools. */
export class GuestFetch {
  constructor(private readonly options: GuestFetchOptions) {}

  /** @throws GuestFetchError */
  async fetch(caller: GuestCaller, request: GuestRequest): Promise<GuestResponse> {
    try {
      return await this.exchange(caller, request);
    } catch (error) {
      const known = [ArgumentRefused, SecretRefused, EgressRefused, EgressFailure].some(
        (kind) => error instanceof kind,
      );
      throw known ? new GuestFetchError(`ctx.fetch: ${(error as Error).message}`, { cause: error }) : error;
    }
  }

  private async exchange(caller: GuestCaller, request: GuestRequest): Promise<GuestResponse> {
    const { guard, timeoutMs = 30_000, maxResponseBytes = 16 * MiB, userAgent = 'gantry' } = this.options;
    const method = this.checkMethod(request);
    // Judged before secrets are opened, since the secret's host is read from this URL.
    const refused = guard.checkUrlShape(request.url, caller.egressAllow);
    if (refused !== undefined) throw new EgressRefused(refused);
    const templates = request.headers.map(([name, value]) => ({ name, parts: this.headerParts(name, value) }));
    const found = secretsIn(templates);
    const secrets = await OpenedSecrets.open(this.options.secrets, caller.tenantId, found.names, request.url);
    const headers = templates.map(
      ({ name, parts }): HeaderPair => [name, fillHeader({ name, parts }, {}, secrets) ?? ''],
    );
    const given = new Set(headers.map(([name]) => name.toLowerCase()));
    for (const [name, value] of [
      ['accept', '*/*'],
      ['accept-encoding', 'gzip, br'],
      ['user-agent', userAgent],
    ] as const) {
      if (!given.has(name)) headers.push([name, value]);
    }
    const limit = Math.min(request.maxBodyBytes ?? maxResponseBytes, maxResponseBytes);
    const head = await guard.request({
      url: new URL(request.url).href.replace(/#.*$/, ''),
      method,
      headers,
      body: request.body,
      tenantId: caller.tenantId,
      allow: caller.egressAllow,
      secretHeaders: found.headers,
      secretValues: secrets.texts(),
      signal: request.signal,
      timeoutMs,
      redirect: request.redirect ?? 'follow',
    });
    const { bytes, truncated } = await head.read(limit);
    if (truncated) throw new ArgumentRefused(`the response is longer than ${limit} bytes`);
    const mask = secrets.mask();
    return {
      status: head.status,
      statusText: mask.text(head.statusText),
      url: mask.text(head.url),
      headers: pairsOf(head.headers).map(([name, value]) => [name, mask.text(value)]),
      body: mask.bytes(bytes),
    };
  }

  private checkMethod({ method, body }: GuestRequest): string {
    const upper = method.toUpperCase();
    if (!/^[A-Z]{1,20}$/.test(upper) || upper === 'CONNECT' || upper === 'TRACE') {
      throw new ArgumentRefused('this method may not be used');
    }
    if (body === undefined) return upper;
    if (upper === 'GET' || upper === 'HEAD') throw new ArgumentRefused(`a ${upper} request has no body`);
    const limit = this.options.maxRequestBytes ?? 4 * MiB;
    if (Buffer.byteLength(body) > limit) throw new ArgumentRefused(`the body is longer than ${limit} bytes`);
    return upper;
  }

  /** Only secrets are filled: `{name}` is text of the code's own. */
  private headerParts(name: string, value: string): Part[] {
    const fault = headerNameFault(name);
    if (fault !== undefined) throw new ArgumentRefused(fault);
    const notes = new Notes();
    const parts = parseSecrets(value, '', notes);
    if (notes.faults[0]) throw new ArgumentRefused(notes.faults[0].message);
    return parts;
  }
}

function pairsOf(headers: Readonly<Record<string, string | string[] | undefined>>): HeaderPair[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || transferHeaders.test(name)) return [];
    return (Array.isArray(value) ? value : [value]).map((item): HeaderPair => [name, item]);
  });
}
