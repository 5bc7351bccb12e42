import { type Page, type putSecretBodySchema, type Secret, secretNameSchema } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { notFound } from '../../common/errors/app-error.js';
import { decodeCursor, pageOf } from '../../common/http/cursor.js';
import type { TenantCaller } from '../../common/http/request-context.js';
import type { Sealer } from '../../infra/crypto/index.js';
import { SECRET_SEALER } from '../../infra/tokens.js';
import { Mutations } from '../audit/mutations.js';
import { type SecretRow, SecretsRepository } from './secrets.repository.js';

/** Every secret of the database is sealed under another master key: one line for whoever started this node. */
export class OtherMasterKeyError extends Error {}

const TOUCH_EVERY_MS = 60_000;
const TOUCHED_MAX = 10_000;

/** Values that tools may send to named hosts. They go in by `put` and never come out of the API. */
@Injectable()
export class SecretsService {
  private readonly touched = new Map<string, number>();

  constructor(
    @Inject(SecretsRepository) private readonly secrets: SecretsRepository,
    @Inject(SECRET_SEALER) private readonly sealer: Sealer,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  /**
   * For a start: the master key is the one that this database's secrets are sealed under, or some of them.
   * @throws OtherMasterKeyError
   */
  async requireKey(): Promise<void> {
    const { newest, anyUnder } = await this.secrets.sealedUnder(this.sealer.keyId);
    if (newest === undefined || anyUnder) return;
    throw new OtherMasterKeyError(
      `GANTRY_MASTER_KEY: the secrets of this database are sealed under another key (${newest}, this one is ${this.sealer.keyId}); set the key that all its nodes share`,
    );
  }

  async list(caller: TenantCaller, limit: number, cursor: string | undefined): Promise<Page<Secret>> {
    const after = decodeCursor(cursor, secretNameSchema);
    return pageOf(await this.secrets.list(caller.tenant.id, after, limit + 1), limit, present, (row) => row.name);
  }

  async put(caller: TenantCaller, name: string, body: z.infer<typeof putSecretBodySchema>): Promise<void> {
    const { id: tenantId } = caller.tenant;
    const hosts = [...new Set(body.hosts.map((host) => host.toLowerCase()))];
    const sealed = this.sealer.seal(body.value, placeOf(tenantId, name));
    const { keyId } = this.sealer;
    await this.mutations.inTenant(tenantId, caller, async ({ tx, record }) => {
      const created = await this.secrets.put(tx, tenantId, { name, hosts, sealed, keyId });
      await record({
        action: created ? 'secret.create' : 'secret.update',
        object: `secret/${name}`,
        tenantId,
        detail: { hosts },
        changes: [{ kind: 'secret', subject: name }],
      });
    });
  }

  async delete(caller: TenantCaller, name: string): Promise<void> {
    const { id: tenantId } = caller.tenant;
    await this.mutations.inTenant(tenantId, caller, async ({ tx, record }) => {
      if (!(await this.secrets.delete(tx, tenantId, name))) throw notFound('secret');
      await record({
        action: 'secret.delete',
        object: `secret/${name}`,
        tenantId,
        changes: [{ kind: 'secret', subject: name }],
      });
    });
  }

  /**
   * The value of a tenant's secret and the hosts it may be sent to, for the one who fills it into a request.
   * Undefined when there is none. Never logged, never cached by this service.
   */
  async open(tenantId: string, name: string): Promise<{ value: string; hosts: readonly string[] } | undefined> {
    const found = await this.secrets.findSealed(tenantId, name);
    if (found === undefined) return undefined;
    const value = this.sealer.open(found.sealed, found.keyId, placeOf(tenantId, name)).toString('utf8');
    return { value, hosts: found.hosts };
  }

  /** Notes that a secret was sent; written at most once a minute and secret. */
  async noteUse(tenantId: string, name: string): Promise<void> {
    const id = `${tenantId}/${name}`;
    const now = Date.now();
    if (now - (this.touched.get(id) ?? 0) < TOUCH_EVERY_MS) return;
    if (this.touched.size >= TOUCHED_MAX) this.touched.clear();
    this.touched.set(id, now);
    await this.secrets.touch(tenantId, name, new Date(now));
  }
}

/** Binds a sealed value to its place: moved to another tenant or name it does not open. */
function placeOf(tenantId: string, name: string): string[] {
  return [tenantId, name];
}

function present(row: SecretRow): Secret {
  return {
    name: row.name,
    hosts: [...row.hosts],
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt.toISOString() }),
  };
}
