import { createHash } from 'node:crypto';
import type { HttpAuth } from '@gantry/contracts';
import { EgressFailure, type EgressGuard, EgressRefused } from '../../../../infra/egress/index.js';
import { encodePair, encodeStrict } from './encode.js';
import type { HttpCaller } from './http-caller.js';
import { hostWithPort, SecretMask, type SecretSource } from './secrets.js';

export type ClientCredentials = Extract<HttpAuth, { type: 'oauth2-client-credentials' }>;

/** A token server is asked for so long at most. */
const REQUEST_MS = 10_000;
const ANSWER_BYTES = 64 * 1024;
/** Tokens of all tenants that are kept; the one unused for longest goes first. */
const TOKENS_MAX = 1_000;
/** A token without a lifetime is kept this long; one with it is not used in its last tenth, or half minute. */
const LIFETIME_MS = 300_000;
const MARGIN_MS = 30_000;
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

/** There is no token to make a request with. The message is for the tenant; it holds no secret. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

export interface ClientToken {
  readonly value: string;
  /** It was fetched for this request: another one would be no better. */
  readonly fresh: boolean;
}

interface Kept {
  readonly value: Promise<string>;
  until: number;
}

export interface ClientTokensOptions {
  readonly guard: EgressGuard;
  readonly secrets: SecretSource;
  readonly now?: (() => number) | undefined;
}

/** Access tokens by client credentials (RFC 6749 §4.4), each fetched once for all who need it at a time. */
export class ClientTokens {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly options: ClientTokensOptions) {}

  /** @throws TokenRefused, SecretRefused, or the signal's reason */
  async get(auth: ClientCredentials, caller: HttpCaller, signal: AbortSignal): Promise<ClientToken> {
    signal.throwIfAborted();
    const secret = await this.options.secrets.open(caller.tenantId, auth.secret, hostWithPort(auth.tokenUrl));
    const key = keyOf(auth, caller.tenantId, secret);
    const there = this.kept.get(key);
    const fresh = there === undefined || there.until <= this.now();
    const kept = fresh ? this.fetch(key, auth, caller, secret) : there;
    // The newest is the last.
    this.kept.delete(key);
    this.kept.set(key, kept);
    return { value: await unlessAborted(kept.value, signal), fresh };
  }

  /** The API did not take a token: nobody uses it any more. */
  async drop(auth: ClientCredentials, caller: HttpCaller, token: string): Promise<void> {
    const secret = await this.options.secrets.open(caller.tenantId, auth.secret, hostWithPort(auth.tokenUrl));
    const key = keyOf(auth, caller.tenantId, secret);
    const kept = this.kept.get(key);
    if (kept !== undefined && (await kept.value.catch(() => undefined)) === token && this.kept.get(key) === kept) {
      this.kept.delete(key);
    }
  }

  private fetch(key: string, auth: ClientCredentials, caller: HttpCaller, secret: string): Kept {
    const kept: Kept = {
      value: this.ask(auth, caller, secret).then(({ token, lifetimeMs }) => {
        kept.until = this.now() + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 10);
        return token;
      }),
      // Whoever comes while it is fetched waits for the same.
      until: Number.POSITIVE_INFINITY,
    };
    kept.value.catch(() => {
      if (this.kept.get(key) === kept) this.kept.delete(key);
    });
    const [oldest] = this.kept.keys();
    if (this.kept.size >= TOKENS_MAX && oldest !== undefined) this.kept.delete(oldest);
    return kept;
  }

  private async ask(auth: ClientCredentials, caller: HttpCaller, secret: string) {
    const { clientId, scope, audience, credentials = 'header', tokenUrl } = auth;
    const pairs: [string, string | undefined][] = [
      ['grant_type', 'client_credentials'],
      ['scope', scope],
      ['audience', audience],
      ...(credentials === 'body'
        ? ([
            ['client_id', clientId],
            ['client_secret', secret],
          ] as [string, string][])
        : []),
    ];
    const basic = Buffer.from(`${encodeStrict(clientId)}:${encodeStrict(secret)}`).toString('base64');
    const mask = new SecretMask([[auth.secret, secret]]);
    const where = `no token from ${new URL(tokenUrl).host}`;
    try {
      const head = await this.options.guard.request({
        url: tokenUrl,
        method: 'POST',
        headers: [
          ['accept', 'application/json'],
          ['content-type', 'application/x-www-form-urlencoded'],
          ...(credentials === 'header' ? ([['authorization', `Basic ${basic}`]] as const) : []),
        ],
        body: pairs.flatMap(([name, value]) => (value === undefined ? [] : [encodePair(name, value)])).join('&'),
        tenantId: caller.tenantId,
        allow: caller.egressAllow,
        secretHeaders: new Set(['authorization']),
        secretValues: [secret],
        // Whoever asked first may go: the token is for others as well.
        signal: new AbortController().signal,
        timeoutMs: REQUEST_MS,
        redirect: 'error',
      });
      const { bytes } = await head.read(ANSWER_BYTES);
      return tokenIn(head.status, bytes.toString(), where, mask);
    } catch (thrown) {
      if (!(thrown instanceof EgressFailure || thrown instanceof EgressRefused)) throw thrown;
      throw new TokenRefused(`${where}: ${mask.text(thrown.message)}`);
    }
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }
}

/** With the secret's hash: a token that an older secret has fetched is not used under a new one. */
function keyOf(
  { tokenUrl, clientId, scope, audience, credentials }: ClientCredentials,
  tenantId: string,
  secret: string,
) {
  const hash = createHash('sha256').update(secret).digest('base64url');
  return JSON.stringify([tenantId, tokenUrl, clientId, scope ?? null, audience ?? null, credentials ?? null, hash]);
}

function tokenIn(status: number, text: string, where: string, mask: SecretMask) {
  const answer = objectIn(text);
  if (status !== 200) {
    const words = [answer?.error, answer?.error_description].filter((word) => typeof word === 'string').join(': ');
    throw new TokenRefused(`${where}: it answered ${status}${words && ` ${mask.text(words).slice(0, 300)}`}`);
  }
  const { access_token: token, token_type: type, expires_in: seconds } = answer ?? {};
  if (typeof token !== 'string' || !TOKEN.test(token))
    throw new TokenRefused(`${where}: its answer holds no access_token`);
  if (type !== undefined && String(type).toLowerCase() !== 'bearer') {
    throw new TokenRefused(
      `${where}: it gave a token of type ${JSON.stringify(mask.text(String(type)).slice(0, 50))}, not Bearer`,
    );
  }
  const lifetimeMs = Number(seconds) > 0 ? Number(seconds) * 1_000 : LIFETIME_MS;
  return { token, lifetimeMs };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function unlessAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    stop = () => signal.removeEventListener('abort', abort);
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    stop();
  }
}
