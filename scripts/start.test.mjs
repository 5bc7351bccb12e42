import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { portFault } from './lib/processes.mjs';
import { allGone, GantryProcess, newDataDir } from './testing/gantry-process.mjs';

let data;
const started = [];

async function start(env, options) {
  const gantry = await GantryProcess.start(data.dataDir, env, options);
  started.push(gantry);
  return gantry;
}

beforeEach(() => {
  data = newDataDir();
});

afterEach(async () => {
  for (const gantry of started.splice(0)) await gantry.clean();
  data.remove();
});

/** What stops a start: exactly one line on the terminal. */
async function stopLine(gantry) {
  expect(await gantry.end(30_000)).toBe(1);
  const lines = gantry.output.trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0];
}

describe('npm start', () => {
  it('serves, names the files of its secrets, and stops everything on SIGTERM within 10 s', async () => {
    const gantry = await (await start()).ready();
    expect((await fetch(`http://127.0.0.1:${gantry.port}/readyz`)).status).toBe(200);
    for (const name of ['admin-token', 'master-key', 'postgres-password']) {
      const file = join(data.dataDir, name);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(gantry.output).not.toContain(readFileSync(file, 'utf8').trim());
    }
    expect(gantry.output).toContain(`in ${join(data.dataDir, 'admin-token')}`);
    expect(gantry.output).toContain(`http://127.0.0.1:${gantry.port}/mcp/`);
    const { postgres, api } = gantry.notes();
    gantry.signalGroup('SIGTERM');
    expect(await gantry.end()).toBe(0);
    expect(await allGone([postgres, api], 0)).toBe(true);
    expect(await portFault(gantry.port, '127.0.0.1')).toBeUndefined();
  });

  it('keeps secrets and data over a restart, and stops on SIGINT', async () => {
    const first = await (await start()).ready();
    const token = readFileSync(join(data.dataDir, 'admin-token'), 'utf8').trim();
    const create = await fetch(`http://127.0.0.1:${first.port}/api/v1/tenants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ slug: 'kept', name: 'Kept' }),
    });
    expect(create.status).toBe(201);
    first.signalGroup('SIGINT');
    expect(await first.end()).toBe(0);
    const second = await (await start()).ready();
    const found = await fetch(`http://127.0.0.1:${second.port}/api/v1/tenants/kept`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(found.status).toBe(200);
  });

  it('names the process that has DATA_DIR already', async () => {
    const first = await (await start()).ready();
    const line = await stopLine(await start());
    expect(line).toContain(`DATA_DIR: ${data.dataDir} is in use by process ${first.notes().supervisor};`);
    expect((await fetch(`http://127.0.0.1:${first.port}/healthz`)).status).toBe(200);
  });

  it('starts again after its supervisor was killed, whose children end by themselves', async () => {
    const first = await (await start()).ready();
    const { postgres, api } = first.notes();
    process.kill(first.notes().supervisor, 'SIGKILL');
    const second = await (await start({ PORT: String(first.port) })).ready();
    expect(await allGone([postgres, api], 0)).toBe(true);
    expect((await fetch(`http://127.0.0.1:${second.port}/readyz`)).status).toBe(200);
  });

  it.each(['api', 'postgres'])('stops everything when its %s was killed, and starts again', async (victim) => {
    const first = await (await start()).ready();
    const { postgres, api } = first.notes();
    process.kill({ postgres, api }[victim], 'SIGKILL');
    expect(await first.end()).toBe(1);
    expect(first.output).toMatch(/gantry: the (API|embedded Postgres) ended unexpectedly \(SIGKILL\)/);
    expect(await allGone([postgres, api], 0)).toBe(true);
    await (await start()).ready();
  });

  it('starts again after all of it was killed at once', async () => {
    const first = await (await start()).ready();
    const { supervisor, postgres, api } = first.notes();
    for (const pid of [supervisor, postgres, api]) process.kill(pid, 'SIGKILL');
    await (await start()).ready();
  });

  it('ends when npm is gone, although the shell in between stays', async () => {
    const gantry = await (await start({}, { npm: true })).ready();
    const { supervisor, postgres, api } = gantry.notes();
    process.kill(gantry.child.pid, 'SIGKILL');
    expect(await allGone([supervisor, postgres, api], 10_000)).toBe(true);
  });

  it('runs twice side by side', async () => {
    const other = newDataDir();
    const first = await (await start()).ready();
    const second = await GantryProcess.start(other.dataDir);
    started.push(second);
    await second.ready();
    expect((await fetch(`http://127.0.0.1:${first.port}/readyz`)).status).toBe(200);
    await second.clean();
    other.remove();
  });

  it('says in one line that a port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address();
    expect(await stopLine(await start({ PORT: String(port) }))).toBe(
      `gantry: PORT: port ${port} on 127.0.0.1 is in use; set PORT to a free one`,
    );
    server.close();
  });

  it.each([
    [{ PORT: 'http' }, /^gantry: PORT: expected a whole number from 1 to 65535, got "http"$/],
    [{ REDIS_URL: '127.0.0.1:6379' }, /^gantry: REDIS_URL: expected a comma list of redis:/],
    [{ DATABASE_URL: 'foo' }, /^gantry: DATABASE_URL: expected postgresql:/],
    [{ NODE_ROLE: 'worker' }, /^gantry: NODE_ROLE: /],
    [{ GANTRY_MASTER_KEY: 'short' }, /^gantry: GANTRY_MASTER_KEY: expected 32 bytes/],
    [{ DATABASE_URL: 'postgresql://127.0.0.1:1/x' }, /^gantry: GANTRY_MASTER_KEY: required with DATABASE_URL/],
  ])('says in one line what is wrong with %j', async (env, line) => {
    expect(await stopLine(await start(env))).toMatch(line);
  });
});
