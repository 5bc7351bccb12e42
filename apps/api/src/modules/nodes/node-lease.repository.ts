import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../infra/prisma/database.js';

export interface LeaseHolder {
  readonly holder: string;
  readonly detail: string;
  readonly ageMs: number;
}

/** One row says who runs alone on this database. Ages are by the database's clock. */
@Injectable()
export class NodeLeaseRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** Takes the lease if nobody has it, if it is `holder`'s own, or if its heart stopped `staleMs` ago. */
  async take(name: string, holder: string, detail: string, staleMs: number): Promise<boolean> {
    const rows = await this.database.forPlatform().transaction(
      (tx) => tx.$queryRaw<unknown[]>`
        INSERT INTO node_leases (name, holder, detail, heartbeat_at) VALUES (${name}, ${holder}, ${detail}, now())
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, detail = excluded.detail, heartbeat_at = now()
          WHERE node_leases.holder = excluded.holder
             OR node_leases.heartbeat_at <= now() - make_interval(secs => ${staleMs / 1_000}::float8)
        RETURNING name`,
    );
    return rows.length > 0;
  }

  /** False when the lease is another's by now. */
  async beat(name: string, holder: string): Promise<boolean> {
    const count = await this.database
      .forPlatform()
      .transaction(
        (tx) => tx.$executeRaw`UPDATE node_leases SET heartbeat_at = now() WHERE name = ${name} AND holder = ${holder}`,
      );
    return count > 0;
  }

  async holder(name: string): Promise<LeaseHolder | undefined> {
    const rows = await this.database.forPlatform().transaction(
      (tx) => tx.$queryRaw<LeaseHolder[]>`
        SELECT holder, detail, (extract(epoch FROM now() - heartbeat_at) * 1000)::float8 AS "ageMs"
        FROM node_leases WHERE name = ${name}`,
    );
    return rows[0];
  }

  async release(name: string, holder: string): Promise<void> {
    await this.database.forPlatform().transaction((tx) => tx.nodeLease.deleteMany({ where: { name, holder } }));
  }
}
