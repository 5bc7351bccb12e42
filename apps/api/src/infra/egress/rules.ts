import { networkInterfaces } from 'node:os';
import { type IpAddress, isLoopback, isPublic, parseIp, reachableForms, sameAddress } from './address.js';
import { AllowList, normalHost } from './allow-list.js';
import { EgressRefused } from './errors.js';

/**
 * A port that belongs to Gantry. Without `host` it is a port of this machine, at any of its addresses;
 * with `host` (name or IP literal) a port of another node or of the public address.
 */
export interface OwnEndpoint {
  readonly port: number;
  readonly host?: string;
}

/** A URL taken apart, its scheme, shape and host spelling checked. */
export interface Target {
  readonly url: URL;
  readonly secure: boolean;
  /** Lower case, without brackets and trailing dots. */
  readonly host: string;
  readonly port: number;
  /** Set when the host is an IP literal, in whatever spelling. */
  readonly address: IpAddress | undefined;
}

export interface EgressRules {
  readonly allow: readonly AllowList[];
  readonly own: readonly OwnEndpoint[];
}

const localNames = /(^|\.)(localhost|localdomain|ip6-localhost|ip6-loopback)$/;
const metadataNames =
  /^(metadata|instance-data|metadata\.google\.internal|metadata\.goog|instance-data\.ec2\.internal)$/;

const notPublic =
  'this host may not be reached from tools: it is not on the public internet, and no operator has allowed it (EGRESS_ALLOW, or egressAllow of the tenant)';
const ownPort = 'this port may not be reached from tools: it belongs to the platform';

/**
 * Reads a URL the way the connection will.
 * @throws EgressRefused unless it is plain http or https without user info.
 */
export function parseTarget(input: string | URL): Target {
  const text = typeof input === 'string' ? input : input.href;
  // The URL parser drops these in silence, so that what is read and what is requested would differ.
  if (/[\s\\]/.test(text) || hasControl(text)) {
    throw new EgressRefused('a URL may not hold spaces, control characters or backslashes');
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new EgressRefused('this is not an absolute URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressRefused('only http: and https: URLs may be reached from tools');
  }
  if (url.username !== '' || url.password !== '' || /^[^/?#]*:\/\/[^/?#]*@/.test(text)) {
    throw new EgressRefused('a URL may not hold a user name or password');
  }
  const host = normalHost(url.hostname);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  if (host === '' || port === 0) throw new EgressRefused('this URL names no host or port that can be reached');
  return { url, secure, host, port, address: parseIp(host) };
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

/** @throws EgressRefused when the host, as written, is refused without asking DNS. */
export function judgeName(target: Target, rules: EgressRules): void {
  const { host, port } = target;
  for (const own of rules.own) {
    if (own.port !== port) continue;
    if (own.host === undefined ? localNames.test(host) : normalHost(own.host) === host)
      throw new EgressRefused(ownPort);
  }
  if (target.address !== undefined) {
    judgeAddress(target.address, target, rules, []);
    return;
  }
  if (!localNames.test(host) && !metadataNames.test(host)) return;
  // A local name may still end at an allowed loopback address; which one is judged after resolving it.
  const loopback = ['127.0.0.1', '::1'].map((text) => parseIp(text) as IpAddress);
  const reachable =
    rules.allow.some((list) => list.allowsName(host, port)) ||
    (localNames.test(host) && loopback.some((ip) => rules.allow.some((list) => list.allowsAddress(ip, port))));
  if (!reachable) throw new EgressRefused(notPublic);
}

/**
 * Judges one address a target leads to. `ownAddresses` are the resolved hosts of own endpoints on this port.
 * @throws EgressRefused
 */
export function judgeAddress(
  ip: IpAddress,
  target: Target,
  rules: EgressRules,
  ownAddresses: readonly IpAddress[],
): 'public' | 'allowed' {
  const forms = reachableForms(ip);
  const { port } = target;
  const ownHere = rules.own.filter((own) => own.port === port);
  if (ownHere.length > 0 && forms.some((form) => isOwn(form, target, rules, ownHere, ownAddresses))) {
    throw new EgressRefused(ownPort);
  }
  if (rules.allow.some((list) => list.allowsName(target.host, port) || list.allowsAddress(ip, port))) return 'allowed';
  if (!isPublic(ip)) throw new EgressRefused(notPublic);
  return 'public';
}

function isOwn(
  form: IpAddress,
  target: Target,
  rules: EgressRules,
  ownHere: readonly OwnEndpoint[],
  ownAddresses: readonly IpAddress[],
): boolean {
  const literal = ownHere.flatMap((own) => (own.host === undefined ? [] : (parseIp(normalHost(own.host)) ?? [])));
  if ([...literal, ...ownAddresses].some((own) => sameAddress(own, form))) return true;
  if (!ownHere.some((own) => own.host === undefined)) return false;
  if (isLoopback(form) || isInterface(form)) return true;
  // A sister node listens on the same port at a private address: a whole CIDR does not open it, only its very name does.
  return (
    !isPublic(form) &&
    !rules.allow.some((list) => list.namesAddress(form, target.port) || list.allowsName(target.host, target.port))
  );
}

function isInterface(ip: IpAddress): boolean {
  const text = ip.toString();
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((entry) => parseIp(entry.address.replace(/%.*$/, ''))?.toString() === text),
  );
}

/**
 * Judges a URL by its text alone, without DNS: what is refused when a document is saved. The guard judges
 * it again, with the addresses, at every call.
 * @returns why it is refused, or undefined.
 */
export function checkUrlShape(url: string, rules: Partial<EgressRules> = {}): string | undefined {
  try {
    judgeName(parseTarget(url), { allow: rules.allow ?? [AllowList.empty], own: rules.own ?? [] });
    return undefined;
  } catch (error) {
    if (error instanceof EgressRefused) return error.message;
    throw error;
  }
}
