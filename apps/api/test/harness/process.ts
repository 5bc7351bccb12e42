import { afterAll, beforeAll } from 'vitest';
import { createDatabase, databaseUrl, dropDatabase } from './database.js';
import { type Management, managementOf } from './management.js';
import { freePort, READY_MS, STOP_MS, startNode } from './node-process.js';

export { ADMIN_TOKEN, type AdminAnswer, type NewKey } from './management.js';

/** The real API process with a database of its own, asked over sockets. */
export interface GantryProcess extends Management {
  /** Base of every URL, no trailing slash. */
  readonly url: string;
  readonly pid: number;
  /** Resident memory of the process, in bytes. */
  residentBytes(): number;
  /** What it has written so far: logs as JSON lines, faults as text. */
  output(): string;
  /** Asks it to stop. Throws unless it ends by itself with status 0. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  /** host:port or CIDR entries that tools may reach although private. */
  readonly egressAllow?: readonly string[];
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startGantry({ egressAllow = [], env = {} }: ProcessOptions = {}): Promise<GantryProcess> {
  const [database, port] = await Promise.all([createDatabase({ migrated: true }), freePort()]);
  try {
    const node = await startNode({
      port,
      databaseUrl: databaseUrl(database),
      env: { EGRESS_ALLOW: egressAllow.join(','), ...env },
    });
    const { url, pid, residentBytes, output } = node;
    const stop = () => node.stop().finally(() => dropDatabase(database));
    return { ...managementOf(() => url), url, pid, residentBytes, output, stop };
  } catch (error) {
    await dropDatabase(database);
    throw error;
  }
}

/** Gives the test file that calls it a process of its own. Its members are there from the first hook on. */
export function useGantry(options: () => ProcessOptions | Promise<ProcessOptions> = () => ({})): GantryProcess {
  let started: GantryProcess | undefined;
  beforeAll(async () => {
    started = await startGantry(await options());
  }, READY_MS + 10_000);
  afterAll(() => started?.stop(), STOP_MS + 10_000);
  return new Proxy({} as GantryProcess, {
    get(_target, member) {
      if (started === undefined) throw new Error('the process is started by beforeAll: use it in a test or a hook');
      return started[member as keyof GantryProcess];
    },
  });
}
