import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigError } from './config-error.js';

/** The environment as a record; a variable that is empty counts as unset, as compose files write it. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** A whole number in decimal digits between both bounds, included. */
export function integer(env: Environment, name: string, min: number, max: number): number | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new ConfigError(name, `expected a whole number from ${min} to ${max}, got ${shown(value)}`);
  }
  return number;
}

export function oneOf<T extends string>(env: Environment, name: string, values: readonly T[]): T | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const found = values.find((one) => one === value.toLowerCase());
  if (!found) throw new ConfigError(name, `expected one of ${values.join(', ')}, got ${shown(value)}`);
  return found;
}

export function flag(env: Environment, name: string): boolean | undefined {
  const value = text(env, name)?.toLowerCase();
  if (value === undefined) return undefined;
  if (value === '1' || value === 'true') return true;
  if (value === '0' || value === 'false') return false;
  throw new ConfigError(name, `expected 1 or 0, got ${shown(value)}`);
}

/** An http(s) URL without credentials, query and fragment; the trailing slash is dropped. */
export function baseUrl(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const url = parseUrl(value);
  const plain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!plain || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(name, 'expected an http or https URL without credentials, query and fragment');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** A comma list; each entry goes through `parse`, which gives undefined for a wrong one. */
export function list(
  env: Environment,
  name: string,
  expected: string,
  parse: (entry: string) => string | undefined,
): string[] | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.map((entry) => {
    const parsed = entry === '' ? undefined : parse(entry);
    if (parsed === undefined) throw new ConfigError(name, `expected a comma list of ${expected}, got ${shown(entry)}`);
    return parsed;
  });
}

/** `address/bits`, or an address alone; undefined when it is neither. */
export function cidr(entry: string): string | undefined {
  const [address = '', bits, ...rest] = entry.split('/');
  // The system's own reading first: to ipaddr.js, 10/8 and 010.0.0.1 are addresses too, and not the expected ones.
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return undefined;
  const network = `${address.toLowerCase()}/${bits ?? (family === 6 ? 128 : 32)}`;
  return ipaddr.isValidCIDR(network) ? network : undefined;
}

/** `host:port`, IPv6 in brackets. */
export function hostAndPort(entry: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+):(\d{1,5})$/i.exec(entry);
  if (!match || Number(match[2]) < 1 || Number(match[2]) > 65535) return undefined;
  return parseUrl(`http://${entry}`) && entry.toLowerCase();
}

/** An origin as browsers send it, or `*`. */
export function origin(entry: string): string | undefined {
  if (entry === '*') return entry;
  const url = parseUrl(entry);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return entry.toLowerCase() === url.origin || entry.toLowerCase() === `${url.origin}/` ? url.origin : undefined;
}

/** A host name or address without port, as `URL.hostname` spells it: lower case, IPv6 in brackets. */
export function hostName(entry: string): string | undefined {
  const spelled = entry.includes(':') && !entry.startsWith('[') ? `[${entry}]` : entry;
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)$/i.test(spelled)) return undefined;
  return parseUrl(`http://${spelled}`)?.hostname;
}

export function parseUrl(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

/** A value as it may be told: short, printable, in quotes. Never used on secrets. */
function shown(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}
