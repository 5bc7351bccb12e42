/** What the environment said, checked once, frozen, and injected. After this nobody reads `process.env`. */
export interface AppConfig {
  readonly role: 'all' | 'api' | 'worker';
  readonly host: string;
  readonly port: number;
  /** Where this node itself is reached, for people who look at nodes; no trailing slash. */
  readonly nodeUrl: string;
  /** Public base of every URL we print or publish; no trailing slash. */
  readonly publicUrl: string;
  /** Public base of the console; no trailing slash. */
  readonly adminUrl: string;
  /** Port of the console on this machine, 0 when it is not started; tools may never reach it. */
  readonly adminPort: number;
  readonly metricsPort: number | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** One URL of a Redis, or several of a cluster's nodes; undefined: this node is alone. */
  readonly redisUrls: readonly string[] | undefined;
  /** True when this process tree owns its Postgres; the supervisor tells. */
  readonly embedded: boolean;
  /** How long cached servers and keys go on while the database is away. */
  readonly databaseGraceMs: number;
  /** How long running calls may go on when this node is told to stop. */
  readonly shutdownGraceMs: number;
  /** Bearer token for automation; undefined means there is none. */
  readonly adminToken: string | undefined;
  /** 32 bytes. */
  readonly masterKey: Buffer;
  /** host:port or CIDR entries that every tenant's tools may reach although private. */
  readonly egressAllow: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Lower-case host names without port. */
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly demo: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly version: string;
  readonly limits: PlatformLimits;
}

/** Platform defaults (`LIMIT_*`); a tenant's own `limits` go before them. */
export interface PlatformLimits {
  readonly bodyBytes: number;
  readonly jsonDepth: number;
  readonly callsPerMinute: number | undefined;
  readonly concurrentCalls: number | undefined;
  readonly sessions: number;
  readonly sessionsPerKey: number;
  readonly listensPerKey: number;
  readonly resultBytes: number;
  readonly slowReaderBytes: number;
  /** Jobs that one process runs at once. */
  readonly jobSlots: number;
  /** Jobs of a tenant that run or are next at once, and that wait. */
  readonly concurrentJobs: number;
  readonly queuedJobs: number;
  readonly jobTimeoutMs: number;
  /** How long a job is kept when it is over, and an idempotency key remembered. */
  readonly jobRetentionMs: number;
  readonly idempotencyMs: number;
}
