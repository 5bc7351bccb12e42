import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/harness/database.js';
import { schemaDrift } from '../../../test/harness/schema-engine.js';

const db = useDatabase();

describe('prisma/migrations', () => {
  it('make exactly the tables of prisma/schema', async () => {
    expect(await schemaDrift(db.url)).toBe('');
  });

  it('would be caught differing', async () => {
    await db.superuser.query('ALTER TABLE tenants ADD COLUMN stray text');
    expect(await schemaDrift(db.url)).toContain('DROP COLUMN "stray"');
  });
});
