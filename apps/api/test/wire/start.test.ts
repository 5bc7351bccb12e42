import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDatabase, databaseUrl, dropDatabase } from '../harness/database.js';
import { managementOf } from '../harness/management.js';
import { freePort, type NodeProcess, startNode } from '../harness/node-process.js';

describe('a start', () => {
  let database: string;
  let node: NodeProcess | undefined;
  const start = async (env: Record<string, string> = {}) => {
    node = await startNode({ port: await freePort(), databaseUrl: databaseUrl(database), env });
    return node;
  };
  beforeEach(async () => {
    database = await createDatabase({ migrated: true });
  });
  afterEach(async () => {
    await node?.kill();
    await dropDatabase(database);
  });

  it('stops with one line where secrets are sealed under another master key', async () => {
    const first = await start();
    const { admin, tenant } = managementOf(() => first.url);
    await tenant('acme');
    const secret = { value: 'correct-horse', hosts: ['api.example.com'] };
    expect((await admin('PUT', '/tenants/acme/secrets/TOKEN', secret)).status).toBe(204);
    await first.stop();
    const other = Buffer.alloc(32, 8).toString('base64');
    await expect(start({ GANTRY_MASTER_KEY: other })).rejects.toThrow(/\(1\): gantry: GANTRY_MASTER_KEY: [^\n]*\n?$/);
    await start();
  });

  it('warns where there is no admin token, once', async () => {
    expect((await start()).output()).not.toMatch(/GANTRY_ADMIN_TOKEN/);
    await node?.stop();
    const bare = await start({ GANTRY_ADMIN_TOKEN: '' });
    // What a process writes may arrive after it said that it is ready.
    await vi.waitFor(() => expect(bare.output()).toMatch(/there is no GANTRY_ADMIN_TOKEN/), 5_000);
    expect(bare.output().match(/there is no GANTRY_ADMIN_TOKEN/g)).toHaveLength(1);
  });
});
