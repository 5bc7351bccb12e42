import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AppConfig } from './app-config.js';
import { ConfigError } from './config-error.js';
import { loadLimits } from './limits.js';
import {
  baseUrl,
  cidr,
  type Environment,
  flag,
  hostAndPort,
  hostName,
  integer,
  list,
  oneOf,
  origin,
  parseUrl,
  text,
} from './values.js';

export { ConfigError } from './config-error.js';

const MAX_PORT = 65_535;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The environment, checked in one pass and frozen. The only reader of `process.env` in the application.
 * @throws ConfigError naming the first variable that is wrong and what was expected.
 */
export function loadConfig(env: Environment = process.env): AppConfig {
  const host = loadHost(env);
  const port = integer(env, 'PORT', 1, MAX_PORT) ?? 4000;
  const adminPort = integer(env, 'ADMIN_PORT', 0, MAX_PORT) ?? 3000;
  const publicUrl = baseUrl(env, 'PUBLIC_URL') ?? `http://${urlHost(host)}:${port}`;
  const adminUrl = baseUrl(env, 'ADMIN_URL') ?? `http://${urlHost(host)}:${adminPort}`;
  const embedded = flag(env, 'GANTRY_EMBEDDED') ?? false;
  return Object.freeze({
    role: loadRole(env),
    host,
    port,
    nodeUrl: baseUrl(env, 'NODE_URL') ?? `http://${urlHost(host)}:${port}`,
    publicUrl,
    adminUrl,
    adminPort,
    metricsPort: loadMetricsPort(env),
    dataDir: resolve(text(env, 'DATA_DIR') ?? './data'),
    databaseUrl: loadDatabaseUrl(env),
    redisUrls: loadRedisUrls(env),
    embedded,
    databaseGraceMs: integer(env, 'DATABASE_GRACE_MS', 1_000, DAY_MS) ?? 600_000,
    shutdownGraceMs: integer(env, 'SHUTDOWN_GRACE_MS', 0, HOUR_MS) ?? 4_000,
    adminToken: loadAdminToken(env),
    masterKey: loadMasterKey(env),
    egressAllow: Object.freeze(
      list(env, 'EGRESS_ALLOW', 'host:port or CIDR', (entry) => hostAndPort(entry) ?? cidr(entry)) ?? [],
    ),
    allowedOrigins: Object.freeze(
      list(env, 'ALLOWED_ORIGINS', 'origins such as https://app.example.com, or *', origin) ??
        defaultOrigins(host, port, publicUrl, adminUrl),
    ),
    allowedHosts: Object.freeze(
      list(env, 'ALLOWED_HOSTS', 'host names without port', hostName) ?? [
        ...new Set([...LOOPBACK_NAMES, new URL(publicUrl).hostname]),
      ],
    ),
    trustedProxies: Object.freeze(list(env, 'TRUSTED_PROXIES', 'addresses or CIDRs', cidr) ?? []),
    demo: flag(env, 'DEMO') ?? embedded,
    logLevel: oneOf(env, 'LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']) ?? 'info',
    version: loadVersion(),
    limits: loadLimits(env),
  });
}

function loadRole(env: Environment): 'all' | 'api' | 'worker' {
  const role = oneOf(env, 'NODE_ROLE', ['all', 'api', 'worker']) ?? 'all';
  if (role === 'worker' && text(env, 'REDIS_URL') === undefined) {
    throw new ConfigError('NODE_ROLE', 'a worker answers callers of other nodes over Redis, which needs REDIS_URL');
  }
  return role;
}

function loadHost(env: Environment): string {
  const value = text(env, 'HOST');
  if (value === undefined) return '127.0.0.1';
  const name = hostName(value);
  if (!name) throw new ConfigError('HOST', 'expected a host name or an IP address to listen on, without port');
  return name.replace(/^\[|\]$/g, '');
}

/** A listening address as it stands in a URL; the wildcard addresses are reached by loopback. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function loadMetricsPort(env: Environment): number | undefined {
  const value = text(env, 'METRICS_PORT');
  if (value === undefined || value.toLowerCase() === 'off') return undefined;
  return integer(env, 'METRICS_PORT', 1, MAX_PORT);
}

/**
 * The address of the database, for whoever needs nothing else.
 * @throws ConfigError unless it is one of Postgres
 */
export function loadDatabaseUrl(env: Environment): string {
  const value = text(env, 'DATABASE_URL');
  const url = value === undefined ? undefined : parseUrl(value);
  if (!value || !url || !/^postgres(ql)?:$/.test(url.protocol)) {
    const asked = value === undefined ? 'required, ' : '';
    throw new ConfigError('DATABASE_URL', `${asked}expected postgresql://user:password@host:port/database`);
  }
  return value;
}

/** Several addresses, as a comma list, are nodes of one Redis Cluster. */
function loadRedisUrls(env: Environment): readonly string[] | undefined {
  const urls = list(env, 'REDIS_URL', 'redis://host:port or rediss://host:port', (entry) => {
    const url = parseUrl(entry);
    return url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' ? entry : undefined;
  });
  return urls && Object.freeze(urls);
}

function loadAdminToken(env: Environment): string | undefined {
  const value = text(env, 'GANTRY_ADMIN_TOKEN');
  if (value !== undefined && !/^[\x21-\x7e]{16,}$/.test(value)) {
    throw new ConfigError('GANTRY_ADMIN_TOKEN', 'expected 16 or more printable ASCII characters without spaces');
  }
  return value;
}

function loadMasterKey(env: Environment): Buffer {
  const value = text(env, 'GANTRY_MASTER_KEY') ?? '';
  const key = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : fromBase64(value);
  if (key?.length !== 32) {
    const asked = value === '' ? 'required with DATABASE_URL, ' : '';
    throw new ConfigError('GANTRY_MASTER_KEY', `${asked}expected 32 bytes as base64 or as 64 hex digits`);
  }
  return key;
}

/** Strict: Node's own decoder skips what is no base64, and a mistyped key would open nothing later. */
function fromBase64(value: string): Buffer | undefined {
  const key = Buffer.from(value, 'base64');
  const spelled = key.toString('base64');
  return spelled === value || spelled.replace(/=+$/, '') === value ? key : undefined;
}

function defaultOrigins(host: string, port: number, publicUrl: string, adminUrl: string): string[] {
  const origins = [new URL(adminUrl).origin, new URL(publicUrl).origin];
  if (isLoopback(host)) origins.push(...LOOPBACK_NAMES.map((name) => `http://${name}:${port}`));
  return [...new Set(origins)];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** This file lies equally deep in `src` and in `dist`. */
function loadVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
