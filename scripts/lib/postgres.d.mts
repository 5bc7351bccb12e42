/** A running Postgres; see postgres.mjs. */
export interface PostgresServer {
  readonly port: number;
  readonly pid: number;
  readonly data: string;
  readonly scratch: readonly string[];
  /** Connection string of the superuser for one database. */
  url(database: string): string;
  readonly exited: Promise<number | string>;
  stop(ms?: number): Promise<void>;
}

export function startPostgres(options: {
  folder: string;
  password: string;
  settings?: Record<string, string>;
  initdbFlags?: string[];
}): Promise<PostgresServer>;

export function startTemporaryPostgres(): Promise<PostgresServer>;

export function newPassword(): string;
