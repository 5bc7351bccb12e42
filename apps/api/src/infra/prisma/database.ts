import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { databaseFault } from './database-fault.js';
import { type Prisma, PrismaClient } from './generated/client.js';

/** Everything a repository may do, inside one transaction that is bound to its scope. */
export type Tx = Prisma.TransactionClient;

/** Where a transaction may look: one tenant's rows, or the platform's. */
export interface Scope {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

const TRANSACTION_TIMEOUT_MS = 15_000;
const POOL_WAIT_MS = 5_000;

/**
 * The only door to the database for repositories. Row-level security is forced on every table, and the
 * settings that open it live as long as the transaction: a query outside both doors finds nothing.
 */
export class Database {
  private readonly client: PrismaClient;

  constructor(pool: pg.Pool) {
    this.client = new PrismaClient({
      adapter: new PrismaPg(pool, { disposeExternalPool: false }),
      transactionOptions: { timeout: TRANSACTION_TIMEOUT_MS, maxWait: POOL_WAIT_MS },
    });
  }

  /** Rows of one tenant, for reading and writing. */
  forTenant(tenantId: string): Scope {
    return this.scope('gantry.tenant', tenantId);
  }

  /** Rows of every tenant and the platform's own tables: sign-in, key look-up, operators. */
  forPlatform(): Scope {
    return this.scope('gantry.scope', 'platform');
  }

  async close(): Promise<void> {
    await this.client.$disconnect();
  }

  private scope(setting: string, value: string): Scope {
    return {
      transaction: async (work) => {
        try {
          return await this.client.$transaction(async (tx) => {
            await tx.$executeRaw`SELECT set_config(${setting}, ${value}, true)`;
            return work(tx);
          });
        } catch (error) {
          throw databaseFault(error);
        }
      },
    };
  }
}
