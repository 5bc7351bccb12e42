import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

const globalUnicast6 = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const sixToFour = ipaddr.IPv6.parseCIDR('2002::/16');
const compatible4 = ipaddr.IPv6.parseCIDR('::/96');
const thisNetwork4 = ipaddr.IPv4.parseCIDR('0.0.0.0/8');

/** Addresses that look public and are not: Azure's host agent answers here on every machine. */
const metadataAddresses = new Set(['168.63.129.16']);

/**
 * An IP literal as `URL.hostname` writes it (IPv6 with or without brackets), IPv4-mapped IPv6 unwrapped.
 * Undefined for names. Zone ids are not addresses here: they only exist for link-local ones.
 */
export function parseIp(text: string): IpAddress | undefined {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!bare.includes(':') || bare.includes('%') || !ipaddr.IPv6.isValid(bare)) return undefined;
  return unwrap(ipaddr.IPv6.parse(bare));
}

function unwrap(ip: ipaddr.IPv6): IpAddress {
  return ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip;
}

/**
 * Every address a packet sent to `ip` may end at: itself, and the IPv4 address that a translator
 * (NAT64, RFC 6052; 6to4, RFC 3056; IPv4-compatible, RFC 4291) would take out of it.
 */
export function reachableForms(ip: IpAddress): IpAddress[] {
  if (ip.kind() === 'ipv4') return [ip];
  const bytes = ip.toByteArray();
  const ip6 = ip as ipaddr.IPv6;
  if (ip6.match(nat64) || ip6.match(compatible4)) return [ip, new ipaddr.IPv4(bytes.slice(12))];
  if (ip6.match(sixToFour)) return [ip, new ipaddr.IPv4(bytes.slice(2, 6))];
  return [ip];
}

/** True for globally routed unicast addresses only; private, loopback, link-local, translated and reserved ones are not. */
export function isPublic(ip: IpAddress): boolean {
  if (ip.range() !== 'unicast' || metadataAddresses.has(ip.toString())) return false;
  return ip.kind() === 'ipv4' || (ip as ipaddr.IPv6).match(globalUnicast6);
}

/** True when connecting to `ip` ends at this machine whatever its interfaces are (RFC 1122: 0/8 and 127/8; `::`, `::1`). */
export function isLoopback(ip: IpAddress): boolean {
  if (ip.kind() === 'ipv4' && (ip as ipaddr.IPv4).match(thisNetwork4)) return true;
  const range = ip.range();
  return range === 'loopback' || range === 'unspecified';
}

export function sameAddress(a: IpAddress, b: IpAddress): boolean {
  return a.kind() === b.kind() && a.toString() === b.toString();
}
