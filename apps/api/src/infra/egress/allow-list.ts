import ipaddr from 'ipaddr.js';
import { type IpAddress, parseIp, sameAddress } from './address.js';

type Entry =
  | { readonly kind: 'cidr'; readonly range: [IpAddress, number] }
  | { readonly kind: 'address'; readonly address: IpAddress; readonly port: number }
  | { readonly kind: 'name'; readonly name: string; readonly port: number };

const expected = 'expected host:port, [IPv6]:port or a CIDR such as 10.0.0.0/8';

/**
 * What tools may reach although it is not public: `host:port` (a name, IPv4 or [IPv6]) or a CIDR (every port).
 * A named host is trusted whatever it resolves to; an address or CIDR is compared with the address connected to.
 */
export class AllowList {
  static readonly empty = new AllowList([]);

  private constructor(private readonly entries: readonly Entry[]) {}

  /** @throws TypeError that quotes the first entry that is neither host:port nor a CIDR. */
  static parse(entries: readonly string[]): AllowList {
    return entries.length === 0 ? AllowList.empty : new AllowList(entries.map(parseEntry));
  }

  allowsName(name: string, port: number): boolean {
    return this.entries.some((e) => e.kind === 'name' && e.port === port && e.name === name);
  }

  /** An entry that names exactly this address and port. */
  namesAddress(ip: IpAddress, port: number): boolean {
    return this.entries.some((e) => e.kind === 'address' && e.port === port && sameAddress(e.address, ip));
  }

  allowsAddress(ip: IpAddress, port: number): boolean {
    return this.namesAddress(ip, port) || this.entries.some((e) => e.kind === 'cidr' && inRange(ip, e.range));
  }
}

function inRange(ip: IpAddress, [base, bits]: [IpAddress, number]): boolean {
  return ip.kind() === base.kind() && ip.match([base, bits]);
}

function parseEntry(text: string): Entry {
  const entry = text.trim();
  if (entry.includes('/')) {
    if (!ipaddr.isValidCIDR(entry)) throw new TypeError(`"${text}" is not an egress entry: ${expected}`);
    return { kind: 'cidr', range: ipaddr.parseCIDR(entry) };
  }
  const match = /^(\[[^\]]+\]|[^:[\]]+):(\d{1,5})$/.exec(entry);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65_535) throw new TypeError(`"${text}" is not an egress entry: ${expected}`);
  let host: string;
  try {
    // The URL parser is what later reads tool URLs, so both sides agree on every spelling of a host.
    host = normalHost(new URL(`http://${match[1]}/`).hostname);
  } catch {
    throw new TypeError(`"${text}" is not an egress entry: ${expected}`);
  }
  const address = parseIp(host);
  return address ? { kind: 'address', address, port } : { kind: 'name', name: host, port };
}

/** Lower case, no brackets, no trailing dots: `LOCALHOST.` and `localhost` are one host. */
export function normalHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '');
}

/**
 * Whether one of a secret's hosts (`host` or `host:port`) covers `target`, a `URL.host`.
 * A host without port covers every port of it; compared by name, never by resolution.
 */
export function hostCovered(hosts: readonly string[], target: string): boolean {
  const wanted = splitHost(target);
  if (wanted === undefined) return false;
  return hosts.some((text) => {
    const entry = splitHost(text);
    return (
      entry !== undefined && entry.host === wanted.host && (entry.port === undefined || entry.port === wanted.port)
    );
  });
}

function splitHost(text: string): { host: string; port: string | undefined } | undefined {
  const bare = parseIp(text) !== undefined && !text.startsWith('[') && text.includes(':') ? `[${text}]` : text;
  const match = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(bare);
  if (!match) return undefined;
  try {
    return { host: normalHost(new URL(`http://${match[1]}/`).hostname), port: match[2] };
  } catch {
    return undefined;
  }
}
