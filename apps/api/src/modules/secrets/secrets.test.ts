import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../test/harness/api.js';
import { buildWorld, type World } from '../../../test/support/world.js';
import { MasterKeys, Sealer } from '../../infra/crypto/index.js';
import { Mutations } from '../audit/mutations.js';
import { SecretsRepository } from './secrets.repository.js';
import { SecretsService } from './secrets.service.js';

const api = useApi();
let world: World;
const secrets = '/api/v1/tenants/acme/secrets';
const value = 'correct-horse-battery-staple';
beforeAll(async () => {
  world = await buildWorld(api);
});

async function idOf(slug: string): Promise<string> {
  return (await api.db.superuser.query('SELECT id FROM tenants WHERE slug = $1', [slug])).rows[0].id;
}

describe('secrets', () => {
  it('go in, are listed without their value, and open for whoever fills them in', async () => {
    expect((await api.put(`${secrets}/TOKEN`, { value, hosts: ['API.example.com'] })).statusCode).toBe(204);
    const listed = await api.get(secrets, { as: world.tokens.developer });
    expect(listed.json().items).toEqual([
      expect.objectContaining({ name: 'TOKEN', hosts: ['api.example.com'], createdAt: expect.any(String) }),
    ]);
    expect(listed.body).not.toContain(value);
    const service = api.app.nest.get(SecretsService);
    const opened = await service.open(await idOf('acme'), 'TOKEN');
    expect(opened).toEqual({ value, hosts: ['api.example.com'] });
    expect(await service.open(await idOf('rival'), 'TOKEN')).toBeUndefined();
  });

  it('lie nowhere in clear, the trail included', async () => {
    await api.put(`${secrets}/HIDDEN`, { value, hosts: ['api.example.com'] });
    for (const table of ['secrets', 'audit_entries', 'change_log']) {
      const { rows } = await api.db.superuser.query(`SELECT t::text FROM ${table} t`);
      expect(JSON.stringify(rows)).not.toContain(value);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(value).toString('hex'));
    }
  });

  it('do not open under another tenant or name, even if the row is moved', async () => {
    await api.put(`${secrets}/MOVED`, { value, hosts: ['api.example.com'] });
    await api.db.superuser.query(`UPDATE secrets SET tenant_id = $1 WHERE name = 'MOVED'`, [await idOf('rival')]);
    await expect(api.app.nest.get(SecretsService).open(await idOf('rival'), 'MOVED')).rejects.toThrow('altered');
  });

  it('are replaced and deleted, each with an entry in the trail', async () => {
    await api.put(`${secrets}/AGAIN`, { value: 'one', hosts: ['a.example'] });
    await api.put(`${secrets}/AGAIN`, { value: 'two', hosts: ['b.example'] });
    expect((await api.delete(`${secrets}/AGAIN`)).statusCode).toBe(204);
    expect((await api.delete(`${secrets}/AGAIN`)).statusCode).toBe(404);
    const { items } = (await api.get('/api/v1/tenants/acme/audit?object=secret/AGAIN')).json();
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'secret.delete',
      'secret.update',
      'secret.create',
    ]);
  });

  it('have names and hosts that make sense', async () => {
    expect((await api.put(`${secrets}/lower`, { value, hosts: ['a'] })).statusCode).toBe(404);
    const refused = await api.put(`${secrets}/TOKEN`, { value: '', hosts: ['https://a/'], more: 1 });
    expect(refused.statusCode).toBe(422);
    expect(
      refused
        .json()
        .errors.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['/hosts/0', '/more', '/value']);
    expect(refused.body).not.toContain('correct');
  });

  it('are written by nobody who may not, whatever their tenant', async () => {
    for (const caller of ['viewer', 'developer', 'readKey', 'narrowKey', 'operator'] as const) {
      const refused = await api.put(`${secrets}/NOPE`, { value, hosts: ['a.example'] }, { as: world.tokens[caller] });
      expect([caller, refused.statusCode]).toEqual([caller, 403]);
    }
    const foreign = await api.put(`${secrets}/NOPE`, { value, hosts: ['a.example'] }, { as: world.tokens.foreignKey });
    expect(foreign.statusCode).toBe(404);
    const { rows } = await api.db.superuser.query(`SELECT 1 FROM secrets WHERE name = 'NOPE'`);
    expect(rows).toEqual([]);
  });

  it('stop a node that has another master key, and no other', async () => {
    await api.put(`${secrets}/SEALED`, { value, hosts: ['api.example.com'] });
    await api.app.nest.get(SecretsService).requireKey();
    const sealer = new Sealer(new MasterKeys(Buffer.alloc(32, 9)).subkey('secrets'));
    const other = new SecretsService(api.app.nest.get(SecretsRepository), sealer, api.app.nest.get(Mutations));
    await expect(other.requireKey()).rejects.toThrow(
      /^GANTRY_MASTER_KEY: .* sealed under another key \([0-9a-f]{12}, /,
    );
    await api.db.superuser.query('UPDATE secrets SET key_id = $1 WHERE name = $2', [sealer.keyId, 'SEALED']);
    await other.requireKey();
    await api.app.nest.get(SecretsService).requireKey();
    await api.db.superuser.query('DELETE FROM secrets');
    await other.requireKey();
  });
});
