import { lookup as systemLookup } from 'node:dns/promises';
import { type IpAddress, parseIp } from './address.js';
import { describeFailure, EgressFailure } from './errors.js';
import { LookupGate } from './lookup-gate.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a name to all of its addresses; rejects as `node:dns` does. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const nodeLookup: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

interface Cached {
  readonly until: number;
  readonly answer: Promise<readonly ResolvedAddress[]>;
}

/**
 * Names to addresses, each name asked once at a time and remembered for `ttlMs`. Remembering is safe:
 * what comes out is judged at every use, and the connection goes to exactly the judged addresses.
 */
export class Resolver {
  private readonly cache = new Map<string, Cached>();
  private readonly gate = new LookupGate();

  constructor(
    private readonly lookup: Lookup = nodeLookup,
    private readonly ttlMs = 5_000,
    private readonly maxNames = 2_000,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws EgressFailure when the name does not resolve, or `signal`'s reason as soon as that is aborted. */
  async resolve(
    host: string,
    tenantId: string,
    signal: AbortSignal,
  ): Promise<readonly { ip: IpAddress; resolved: ResolvedAddress }[]> {
    const found = await abortable(this.ask(host, tenantId), signal);
    const addresses = found.flatMap((resolved) => {
      const ip = parseIp(resolved.address);
      return ip === undefined ? [] : [{ ip, resolved }];
    });
    if (addresses.length === 0) throw new EgressFailure('dns', 'the host name could not be resolved', false);
    return addresses;
  }

  private ask(host: string, tenantId: string): Promise<readonly ResolvedAddress[]> {
    const known = this.cache.get(host);
    if (known !== undefined && known.until > this.now()) return known.answer;
    const answer = this.gate
      .run(tenantId, () => this.lookup(host))
      .catch((error: unknown) => {
        if (this.cache.get(host)?.answer === answer) this.cache.delete(host);
        throw describeFailure(error);
      });
    this.cache.delete(host);
    this.cache.set(host, { until: this.now() + this.ttlMs, answer });
    if (this.cache.size > this.maxNames) this.cache.delete(this.cache.keys().next().value as string);
    return answer;
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      promise.catch(() => undefined);
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
