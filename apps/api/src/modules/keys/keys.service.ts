import type { ApiKey, CreatedKey, createKeyBodySchema, Page, Scope } from '@gantry/contracts';
import { idSchema } from '@gantry/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { actorOf } from '../../common/auth/principal.js';
import { AppError, notFound } from '../../common/errors/app-error.js';
import { decodeCursor, pageOf } from '../../common/http/cursor.js';
import type { TenantCaller } from '../../common/http/request-context.js';
import { mintApiKey } from '../../infra/crypto/index.js';
import type { Tx } from '../../infra/prisma/database.js';
import { type Mutation, Mutations } from '../audit/mutations.js';
import { maySeeKey, requireGrantable } from './key-rules.js';
import { type KeyRow, KeysRepository } from './keys.repository.js';

type NewKeyBody = z.infer<typeof createKeyBodySchema>;

const MIN_STEP = 500;

@Injectable()
export class KeysService {
  constructor(
    @Inject(KeysRepository) private readonly keys: KeysRepository,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  /** The live keys the caller may see, newest first. */
  async list(caller: TenantCaller, limit: number, cursor: string | undefined): Promise<Page<ApiKey>> {
    const seen: KeyRow[] = [];
    let after = decodeCursor(cursor, idSchema);
    // However small the page: few of many keys may be the caller's, and each step is a query.
    const step = Math.max(limit + 1, MIN_STEP);
    for (;;) {
      const rows = await this.keys.list(caller.tenant.id, after, step);
      seen.push(...rows.filter((row) => maySeeKey(caller, row)));
      after = rows.at(-1)?.id;
      if (seen.length > limit || rows.length < step) break;
    }
    return pageOf(seen, limit, present, (row) => row.id);
  }

  async get(caller: TenantCaller, id: string): Promise<ApiKey> {
    const row = idSchema.safeParse(id).success ? await this.keys.get(caller.tenant.id, id) : null;
    if (row === null || !maySeeKey(caller, row)) throw notFound('key');
    return present(row);
  }

  /** Mints a key with no more than the caller holds. The key itself is in this answer and in no other. */
  async create(caller: TenantCaller, body: NewKeyBody): Promise<CreatedKey> {
    const { tenant, principal } = caller;
    const scopes = [...new Set(body.scopes)];
    const servers = [...new Set(body.servers)];
    requireGrantable(caller, scopes, servers);
    const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt);
    if (expiresAt !== null && expiresAt.getTime() <= Date.now()) throw fault('/expiresAt', 'must be in the future');
    const minted = mintApiKey();
    const row = await this.mutations.inTenant(tenant.id, caller, async ({ tx, record }) => {
      await this.requireKnownServers(tx, tenant.id, servers);
      const created = await this.keys.create(
        tx,
        tenant.id,
        { name: body.name, prefix: minted.prefix, scopes, servers, createdBy: actorOf(principal), expiresAt },
        minted.hash,
      );
      await record({
        action: 'key.create',
        object: `key/${created.id}`,
        tenantId: tenant.id,
        detail: { name: body.name, scopes, servers, ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}) },
        // Somebody may have tried the value before it existed.
        changes: [{ kind: 'key', subject: created.id }],
      });
      return created;
    });
    return { ...present(row), key: minted.key };
  }

  /** Whether a key still stands: for those who hold connections open in its name. */
  async stands(tenantId: string, id: string): Promise<boolean> {
    const row = await this.keys.get(tenantId, id);
    return row !== null && (row.expiresAt === null || row.expiresAt > new Date());
  }

  /** Ends a key: refused on every node within a second. */
  async revoke(caller: TenantCaller, id: string): Promise<void> {
    await this.change(caller, id, async (row, { tx, record }) => {
      await this.keys.revoke(tx, caller.tenant.id, row.id, new Date());
      await record(recordOf(caller, row, 'key.revoke'));
    });
  }

  /** Gives a key a new value; the old one works on for `overlapMs`. The id stays, and with it sessions and budgets. */
  async rotate(caller: TenantCaller, id: string, overlapMs: number): Promise<CreatedKey> {
    const minted = mintApiKey();
    const row = await this.change(caller, id, async (before, { tx, record }) => {
      requireGrantable(caller, before.scopes as Scope[], before.servers);
      await this.keys.endHashes(tx, caller.tenant.id, before.id, new Date(Date.now() + overlapMs));
      await this.keys.addHash(tx, caller.tenant.id, before.id, minted.hash);
      const after = await this.keys.setPrefix(tx, before.id, minted.prefix);
      await record(recordOf(caller, before, 'key.rotate', { overlapMs }));
      return after;
    });
    return { ...present(row), key: minted.key };
  }

  private change<T>(
    caller: TenantCaller,
    id: string,
    work: (row: KeyRow, mutation: Mutation) => Promise<T>,
  ): Promise<T> {
    if (!idSchema.safeParse(id).success) throw notFound('key');
    return this.mutations.inTenant(caller.tenant.id, caller, async (mutation) => {
      const row = await this.keys.lock(mutation.tx, caller.tenant.id, id);
      if (row === null || !maySeeKey(caller, row)) throw notFound('key');
      return work(row, mutation);
    });
  }

  private async requireKnownServers(tx: Tx, tenantId: string, servers: readonly string[]): Promise<void> {
    const unknown = await this.keys.unknownServers(tx, tenantId, servers);
    if (unknown.length === 0) return;
    throw new AppError('validation_failed', 'The body has faults.', {
      errors: unknown.map((slug) => ({
        path: `/servers/${servers.indexOf(slug)}`,
        message: `there is no server "${slug}"`,
      })),
    });
  }
}

function fault(path: string, message: string): AppError {
  return new AppError('validation_failed', 'The body has faults.', { errors: [{ path, message }] });
}

function recordOf(caller: TenantCaller, row: KeyRow, action: string, detail: object = {}) {
  return {
    action,
    object: `key/${row.id}`,
    tenantId: caller.tenant.id,
    detail: { name: row.name, ...detail },
    changes: [{ kind: 'key', subject: row.id }],
  };
}

function present(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as Scope[],
    servers: [...row.servers],
    createdAt: row.createdAt.toISOString(),
    ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt.toISOString() }),
    ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt.toISOString() }),
  };
}
