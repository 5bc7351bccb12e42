import { type IpAddress, parseIp } from './address.js';
import { AllowList, normalHost } from './allow-list.js';
import { answerOf, type EgressResponse, headerText } from './answer.js';
import { Deadline } from './deadline.js';
import { describeFailure, EgressRefused } from './errors.js';
import { PinnedPools, receivedBefore } from './pinned-pools.js';
import { type HeaderPair, type Hop, isRedirect, nextHop } from './redirects.js';
import { type Lookup, type ResolvedAddress, Resolver } from './resolver.js';
import {
  checkUrlShape,
  type EgressRules,
  judgeAddress,
  judgeName,
  type OwnEndpoint,
  parseTarget,
  type Target,
} from './rules.js';

export interface EgressGuardOptions {
  /** The platform's exceptions, `host:port` or CIDR. */
  readonly allow?: readonly string[];
  /** Gantry's own ports, asked at every request: they may change while it runs. */
  readonly ownEndpoints?: () => readonly OwnEndpoint[];
  readonly lookup?: Lookup;
  readonly lookupTtlMs?: number;
  readonly connectTimeoutMs?: number;
  readonly connectionsPerOrigin?: number;
  readonly maxRedirects?: number;
  /** Extra trusted certificate authorities, PEM. */
  readonly ca?: readonly string[];
}

export interface EgressRequest extends Hop {
  readonly tenantId: string;
  /** Header names in lower case that hold secrets; they stay with the first origin. */
  readonly secretHeaders?: ReadonlySet<string>;
  /** Secret texts that a redirect may not carry to another origin. */
  readonly secretValues?: readonly string[];
  /** The tenant's own exceptions. */
  readonly allow?: readonly string[];
  readonly signal: AbortSignal;
  /** For everything, from resolving to the last byte of the body. */
  readonly timeoutMs: number;
  /** For a pause within the body; without it only `timeoutMs` counts. */
  readonly idleMs?: number;
  readonly redirect?: 'follow' | 'manual' | 'error';
}

/** Whose turn it is when names of Gantry's own are resolved; no tenant's id. */
const PLATFORM = '';

/**
 * The one way out for everything a tenant can make Gantry request: each hop's URL is judged, its host resolved, all
 * of its addresses judged, and the connection made to exactly those addresses.
 */
export class EgressGuard {
  private readonly platformAllow: AllowList;
  private readonly resolver: Resolver;
  private readonly pools: PinnedPools;
  private readonly parsedAllow = new Map<string, AllowList>();

  constructor(private readonly options: EgressGuardOptions = {}) {
    this.platformAllow = AllowList.parse(options.allow ?? []);
    this.resolver = new Resolver(options.lookup, options.lookupTtlMs);
    this.pools = new PinnedPools({
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      connectionsPerOrigin: options.connectionsPerOrigin ?? 64,
      maxPools: 1_000,
      ca: options.ca,
    });
  }

  /** Why a URL would be refused by its text alone (no DNS), or undefined. */
  checkUrlShape(url: string, allow: readonly string[] = []): string | undefined {
    return checkUrlShape(url, this.rules(allow));
  }

  /**
   * Sends a request and resolves with its head.
   * @throws EgressRefused when a hop is not allowed, EgressFailure when there is no usable answer.
   */
  async request(request: EgressRequest): Promise<EgressResponse> {
    const deadline = new Deadline(request.signal, request.timeoutMs);
    try {
      return await this.follow(request, deadline);
    } catch (error) {
      deadline.clear();
      throw deadline.explain(error);
    }
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.pools.destroy();
  }

  private async follow(request: EgressRequest, deadline: Deadline): Promise<EgressResponse> {
    const { redirect = 'follow', secretHeaders = new Set<string>(), secretValues = [] } = request;
    const maxRedirects = this.options.maxRedirects ?? 3;
    let hop: Hop = request;
    for (let hops = 0; ; hops += 1) {
      const answer = await this.send(request, hop, deadline);
      const location = headerText(answer.headers.location);
      if (redirect === 'manual' || !isRedirect(answer.status) || location === undefined) return answer;
      answer.dump();
      if (redirect === 'error')
        throw new EgressRefused('the backend answered with a redirect, which this request forbids');
      if (hops === maxRedirects) throw new EgressRefused(`the backend redirected more than ${maxRedirects} times`);
      hop = nextHop(hop, answer.status, location, secretHeaders, secretValues);
    }
  }

  private async send(request: EgressRequest, hop: Hop, deadline: Deadline) {
    const target = parseTarget(hop.url);
    const rules = this.rules(request.allow ?? []);
    const addresses = await this.judge(request.tenantId, target, rules, deadline.signal);
    const dispatch = () =>
      this.pools.get(request.tenantId, target, addresses).request({
        path: target.url.pathname + target.url.search,
        method: hop.method as 'GET',
        headers: flatten(hop.headers),
        body: hop.body ?? null,
        signal: deadline.signal,
        headersTimeout: request.timeoutMs + 1_000,
        bodyTimeout: Math.min(request.timeoutMs + 1_000, request.idleMs ?? Number.POSITIVE_INFINITY),
      });
    const data = await dispatch().catch((error: unknown) => {
      if (!mayRepeat(hop.method, error) || deadline.signal.aborted) throw error;
      return dispatch();
    });
    return answerOf(data, target.url.href, deadline, request.idleMs);
  }

  /** All addresses of the target that may be connected to. */
  private async judge(
    tenantId: string,
    target: Target,
    rules: EgressRules,
    signal: AbortSignal,
  ): Promise<ResolvedAddress[]> {
    judgeName(target, rules);
    const own = await this.ownAddresses(target.port, rules, signal);
    if (target.address !== undefined) {
      judgeAddress(target.address, target, rules, own);
      const family = target.address.kind() === 'ipv6' ? 6 : 4;
      return [{ address: target.address.toString(), family }];
    }
    const admitted: ResolvedAddress[] = [];
    let vouched = false;
    let refused: unknown;
    for (const { ip, resolved } of await this.resolver.resolve(target.host, tenantId, signal)) {
      try {
        vouched = judgeAddress(ip, target, rules, own) === 'allowed' || vouched;
        admitted.push(resolved);
      } catch (error) {
        refused ??= error;
      }
    }
    // One bad address among public ones is an attack; among allowed ones ("localhost" is two) it is only left out.
    if (refused !== undefined && !vouched) throw refused;
    return admitted;
  }

  private async ownAddresses(port: number, rules: EgressRules, signal: AbortSignal): Promise<IpAddress[]> {
    const names = rules.own.flatMap((own) => {
      if (own.port !== port || own.host === undefined) return [];
      const host = normalHost(own.host);
      return parseIp(host) === undefined ? [host] : [];
    });
    const found = await Promise.all(
      names.map((name) =>
        this.resolver.resolve(name, PLATFORM, signal).catch((error: unknown) => {
          if (signal.aborted) throw error;
          // A name of ours that resolves to nothing here has no address that could be reached.
          return [];
        }),
      ),
    );
    return found.flat().map(({ ip }) => ip);
  }

  private rules(tenantAllow: readonly string[]): EgressRules {
    return { allow: [this.platformAllow, this.parseAllow(tenantAllow)], own: this.options.ownEndpoints?.() ?? [] };
  }

  private parseAllow(entries: readonly string[]): AllowList {
    if (entries.length === 0) return AllowList.empty;
    const key = entries.join('\n');
    let list = this.parsedAllow.get(key);
    if (list === undefined) {
      list = AllowList.parse(entries);
      if (this.parsedAllow.size >= 1_000) this.parsedAllow.clear();
      this.parsedAllow.set(key, list);
    }
    return list;
  }
}

/** A kept-alive socket may die under a request that the backend never read: harmless to repeat where the method is safe. */
function mayRepeat(method: string, error: unknown): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && describeFailure(error).kind === 'reset' && receivedBefore(error) > 0
  );
}

function flatten(headers: readonly HeaderPair[]): string[] {
  return headers.flat();
}
