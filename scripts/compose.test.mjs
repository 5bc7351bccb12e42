import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseDockerfile } from './lib/dockerfile.mjs';
import { ROOT } from './lib/paths.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const load = (path) => parse(read(path), { merge: true });
const compose = load('docker-compose.yml');
const { services } = compose;
const ours = ['api-1', 'api-2', 'worker', 'migrate', 'admin'];

const seconds = (text) => Number(/^(\d+)s$/.exec(text)?.[1]);

/** Names that a file takes from the environment, with what stands behind them. */
function variables(text) {
  return [...text.matchAll(/(?<!\$)\$\{(\w+)(:[?-])?/g)].map(([, name, kind]) => ({ name, kind }));
}

describe.each(['docker-compose.yml', 'docker-compose.dev.yml'])('%s', (path) => {
  it('is as the Compose Specification says', () => {
    const { Ajv } = createRequire(join(ROOT, 'packages/mcp-core/package.json'))('ajv');
    const schema = JSON.parse(read('scripts/testing/compose-spec/compose-spec.json'));
    const { $schema: _, ...rest } = schema;
    const valid = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(rest);
    valid(load(path));
    expect(valid.errors ?? []).toEqual([]);
    valid({ services: { x: { imagee: 'y' } } });
    expect(valid.errors).not.toBeNull();
  });
});

describe('the deployment', () => {
  it('says what it needs, and has a default for everything else', () => {
    const all = variables(read('docker-compose.yml').replace(/^\s*#.*$/gm, ''));
    const required = new Set(all.filter(({ kind }) => kind === ':?').map(({ name }) => name));
    expect(required).toEqual(new Set(['POSTGRES_PASSWORD', 'GANTRY_MASTER_KEY', 'GANTRY_ADMIN_TOKEN']));
    expect(all.filter(({ kind }) => kind === undefined)).toEqual([]);
  });

  it('is one tag of two images, whose targets the Dockerfile has (DEP-02)', () => {
    const tags = ours.map((name) => /^gantry-(api|admin):(.*)$/.exec(services[name].image));
    expect(new Set(tags.map(([, , tag]) => tag)).size).toBe(1);
    expect(tags.map(([, image]) => image)).toEqual(['api', 'api', 'api', 'api', 'admin']);
    const stages = parseDockerfile(read('Dockerfile')).map(({ name }) => name);
    for (const name of ours) expect(stages).toContain(services[name].build.target);
  });

  it('starts nodes only on a database that was migrated', () => {
    for (const name of ['api-1', 'api-2', 'worker'])
      expect(services[name].depends_on).toMatchObject({
        migrate: { condition: 'service_completed_successfully' },
        redis: { condition: 'service_healthy' },
      });
    expect(services.migrate).toMatchObject({
      restart: 'no',
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
  });

  it('migrates nothing at an address that is none, and waits for nobody there', () => {
    const env = { PATH: process.env.PATH, DATABASE_URL: 'foo' };
    const { status, stderr } = spawnSync(process.execPath, ['docker/migrate.mjs'], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^gantry: DATABASE_URL: expected postgresql:.*\n$/)]);
  });

  it('gives nodes and proxy longer to stop than a node gives its calls (DEP-08)', () => {
    for (const name of ['api-1', 'api-2', 'worker']) {
      const graceMs = Number(services[name].environment.SHUTDOWN_GRACE_MS);
      // What closing takes after the last call.
      expect(seconds(services[name].stop_grace_period) * 1_000).toBeGreaterThanOrEqual(graceMs + 10_000);
      expect(seconds(services.proxy.stop_grace_period) * 1_000).toBeGreaterThan(graceMs);
    }
  });

  it('cuts the streams of a proxy that is told to stop before Docker kills it', () => {
    const limit = /worker_shutdown_timeout (\d+s);/.exec(read('deploy/nginx/nginx.conf.template'));
    const graceMs = Number(services['api-1'].environment.SHUTDOWN_GRACE_MS);
    expect(seconds(limit?.[1]) * 1_000).toBeGreaterThan(graceMs);
    expect(seconds(limit?.[1])).toBeLessThan(seconds(services.proxy.stop_grace_period));
  });

  it('gives the proxy as many processes as its memory holds, on whichever machine', () => {
    const { environment, deploy } = services.proxy;
    const connections = Number(/worker_connections (\d+);/.exec(read('deploy/nginx/nginx.conf.template'))?.[1]);
    // nginx makes all of them at its start.
    const mib = (Number(environment.PROXY_WORKERS) * connections * 512) / 1024 / 1024;
    expect(mib).toBeLessThan(Number(/^(\d+)M$/.exec(deploy.resources.limits.memory)?.[1]) / 4);
  });

  it('runs what is ours, the proxy and Redis on a read-only file system, without capabilities, within limits', () => {
    for (const name of [...ours, 'proxy', 'redis']) {
      expect([name, services[name]]).toEqual([
        name,
        expect.objectContaining({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] }),
      ]);
    }
    for (const [name, { deploy }] of Object.entries(services)) {
      expect([name, deploy.resources.limits]).toEqual([
        name,
        { cpus: expect.any(String), memory: expect.any(String), pids: expect.any(Number) },
      ]);
    }
    for (const name of ['proxy', 'redis']) expect(services[name].user).not.toBe('root');
  });

  it('publishes the proxy only', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['proxy']);
    expect(compose.networks.data.internal).toBe(true);
    for (const name of ['postgres', 'redis']) expect(services[name].networks).toEqual(['data']);
  });

  it('names addresses that agree with each other', () => {
    const address = (name) => services[name].networks.front.ipv4_address;
    const { environment } = services.proxy;
    for (const name of ['api-1', 'api-2']) {
      expect(environment.API_SERVERS).toContain(`server ${address(name)}:4000`);
      const [proxy, admin, more] = services[name].environment.TRUSTED_PROXIES.split(',');
      expect([proxy, admin]).toEqual([address('proxy'), address('admin')]);
      // Without an outer proxy nobody else: no other address of that network, and none beyond it.
      expect(more).toMatch(/^\$\{GANTRY_TRUSTED_PROXIES:-127\.0\.0\.1\}$/);
    }
    expect(environment.ADMIN_SERVERS).toContain(`server ${address('admin')}:3000`);
    expect(services.admin.environment.API_URL).toBe(`http://${address('proxy')}:8081`);
  });

  it('keeps every acknowledged second of Redis, and evicts nothing', () => {
    const command = services.redis.command.join(' ');
    expect(command).toMatch(/--appendonly yes --appendfsync everysec/);
    expect(command).toMatch(/--maxmemory-policy noeviction/);
  });

  it('passes on what a deployment may set of a node, empty unless it does', () => {
    const limits = [...read('apps/api/src/config/limits.ts').matchAll(/^\s+(LIMIT_[A-Z_]+):/gm)].map(
      ([, name]) => name,
    );
    expect(limits.length).toBeGreaterThan(5);
    for (const name of [
      'EGRESS_ALLOW',
      'ALLOWED_HOSTS',
      'ALLOWED_ORIGINS',
      'LOG_LEVEL',
      'DATABASE_GRACE_MS',
      ...limits,
    ]) {
      for (const node of ['api-1', 'api-2', 'worker']) {
        expect([name, services[node].environment[name]]).toEqual([name, `\${${name}:-}`]);
      }
    }
  });

  it('sets no variable that the API does not know', () => {
    const known = new Set(
      [
        ...execFileSync('git', ['grep', '-ohE', "'[A-Z][A-Z_]+'", '--', 'apps/api/src/config'], {
          cwd: ROOT,
          encoding: 'utf8',
        }).matchAll(/'([A-Z_]+)'/g),
      ].map(([, name]) => name),
    );
    const set = Object.keys(services['api-1'].environment);
    expect(set.filter((name) => !known.has(name) && !name.startsWith('LIMIT_'))).toEqual([]);
  });
});
