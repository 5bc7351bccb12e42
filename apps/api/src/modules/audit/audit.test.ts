import { beforeAll, describe, expect, it } from 'vitest';
import { openApi, useApi } from '../../../test/harness/api.js';
import { buildWorld, type World } from '../../../test/support/world.js';

const api = useApi();
let world: World;
beforeAll(async () => {
  world = await buildWorld(api);
});

describe('the audit trail', () => {
  it('is read newest first, page by page, and filtered', async () => {
    for (const name of ['A', 'B', 'C'])
      await api.put(`/api/v1/tenants/acme/secrets/${name}`, { value: 'v', hosts: ['h.example'] });
    const url = '/api/v1/tenants/acme/audit?action=secret.create&limit=2';
    const first = (await api.get(url)).json();
    const second = (await api.get(`${url}&cursor=${first.nextCursor}`)).json();
    const objects = [...first.items, ...second.items].map(({ object }) => object);
    expect(objects).toEqual(['secret/C', 'secret/B', 'secret/A']);
    expect((await api.get('/api/v1/tenants/acme/audit?actor=nobody')).json().items).toEqual([]);
  });

  it('shows a tenant its own entries only, and names who did it', async () => {
    await api.put('/api/v1/tenants/rival/secrets/THEIRS', { value: 'v', hosts: ['h.example'] });
    await api.put('/api/v1/tenants/acme/servers/orders', { name: 'By key' }, { as: world.tokens.writeKey });
    const { items } = (await api.get('/api/v1/tenants/acme/audit?limit=200', { as: world.tokens.owner })).json();
    expect(items.some(({ object }: { object: string }) => object === 'secret/THEIRS')).toBe(false);
    expect(items[0]).toMatchObject({ action: 'server.update', actor: expect.stringMatching(/^key:/) });
  });

  it('cannot be changed by the application, even on purpose', async () => {
    for (const sql of ['DELETE FROM audit_entries', `UPDATE audit_entries SET actor = 'x'`]) {
      await expect(api.db.pool.query(sql)).rejects.toThrow('permission denied');
    }
  });

  it('takes the change with it when it cannot be written', async () => {
    const other = await openApi();
    try {
      await other.db.superuser.query('ALTER TABLE audit_entries RENAME COLUMN actor TO gone');
      expect((await other.post('/api/v1/tenants', { slug: 'lost', name: 'Lost' })).statusCode).toBe(500);
      const { rows } = await other.db.superuser.query(
        'SELECT (SELECT count(*) FROM tenants)::int + (SELECT count(*) FROM change_log)::int AS n',
      );
      expect(rows).toEqual([{ n: 0 }]);
    } finally {
      await other.close();
    }
  });
});
