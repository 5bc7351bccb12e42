import { connect } from 'node:net';
import { Writable } from 'node:stream';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, openApi, useApi } from '../test/harness/api.js';
import { databaseUrl } from '../test/harness/database.js';
import { createFastify } from './common/http/fastify-instance.js';
import { RouteTable } from './common/http/route-table.js';
import { createLogger } from './common/logging/logger.js';

const api = useApi({ config: { trustedProxies: ['10.0.0.0/8'] } });
const json = { 'content-type': 'application/json' };

/** Every refusal is a problem with the request's id. */
function expectProblem(answer: Awaited<ReturnType<typeof api.get>>, status: number, code: string): void {
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.json()).toMatchObject({
    status,
    type: `urn:gantry:problem:${code}`,
    requestId: answer.headers['x-request-id'],
  });
}

describe('health', () => {
  it('answers liveness and readiness without credentials and on any host name', async () => {
    const headers = { host: 'anything.example' };
    expect((await api.get('/healthz', { as: null, headers })).json()).toEqual({ status: 'ok' });
    const ready = await api.get('/readyz', { as: null, headers });
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      { status: 'ready', dependencies: { postgres: { ok: true } } },
    ]);
  });

  it('is not ready from the moment the node drains', async () => {
    const other = await openApi();
    try {
      other.app.readiness.drain();
      const ready = await other.get('/readyz');
      expect([ready.statusCode, ready.json().dependencies.shutdown.ok]).toEqual([503, false]);
      expect((await other.get('/healthz')).statusCode).toBe(200);
    } finally {
      await other.close();
    }
  });
});

describe('errors', () => {
  it('are problems, whoever raised them', async () => {
    const url = '/api/v1/tenants';
    expectProblem(await api.get('/api/v1/nowhere'), 404, 'not_found');
    expectProblem(await api.get('/'), 404, 'not_found');
    expectProblem(await api.call('PUT', url), 405, 'method_not_allowed');
    expectProblem(await api.call('POST', url, { body: '{"slug":', headers: json }), 400, 'bad_request');
    expectProblem(await api.call('POST', url, { body: '{"__proto__":{}}', headers: json }), 400, 'bad_request');
    expectProblem(
      await api.call('POST', url, { body: 'a=b', headers: { 'content-type': 'text/plain' } }),
      415,
      'unsupported_media_type',
    );
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expectProblem(await api.call('POST', url, { body: 'a=b', headers: form }), 415, 'unsupported_media_type');
    expectProblem(await api.call('POST', url, { body: 'x'.repeat(5 << 20), headers: json }), 413, 'payload_too_large');
    expectProblem(await api.post(url), 422, 'validation_failed');
    expectProblem(await api.post(url, { slug: 'x', name: 'a\0' }), 422, 'validation_failed');
    expectProblem(await api.get(`${url}?limit=0`), 400, 'bad_request');
    expectProblem(await api.get(`${url}/%00`), 404, 'not_found');
    expectProblem(await api.get(`${url}/%ff`), 400, 'bad_request');
    expectProblem(await api.get(`${url}/${'x'.repeat(5_000)}`), 404, 'not_found');
    expectProblem(await api.get(`${url}/${'x'.repeat(17_000)}`), 400, 'bad_request');
    await api.post(url, { slug: 'odd', name: 'Odd' });
    await api.put(`${url}/odd/servers/one`, { name: 'One' });
    for (const path of ['servers/%00', 'servers/%00/tools', 'servers/one/tools/%00', 'keys/%00', 'calls/%00'])
      expectProblem(await api.get(`${url}/odd/${path}`), 404, 'not_found');
    for (const field of ['tool', 'server']) {
      expectProblem(await api.get(`${url}/odd/calls?${field}=%00`), 400, 'bad_request');
    }
    const far = Buffer.from(String(Number.MAX_SAFE_INTEGER)).toString('base64url');
    expectProblem(await api.get(`${url}/odd/servers/one/revisions?cursor=${far}`), 400, 'bad_request');
  });

  it('name the methods that a path has', async () => {
    expect((await api.call('PUT', '/api/v1/tenants')).headers.allow).toBe('POST, GET');
  });

  it('refuse a large body of somebody unknown before it is read', async () => {
    const answer = await api.call('POST', '/api/v1/tenants', { as: null, body: 'x'.repeat(5 << 20), headers: json });
    expectProblem(answer, 401, 'unauthenticated');
  });

  it('tell nothing of what went wrong inside, but log it under the request id', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const other = await openApi({ logger: createLogger('info', sink) });
    try {
      await other.db.superuser.query('ALTER TABLE tenants RENAME COLUMN name TO gone');
      const answer = await other.get('/api/v1/tenants', { headers: { 'x-request-id': 'find-me' } });
      expect([answer.statusCode, answer.json()]).toEqual([
        500,
        {
          type: 'urn:gantry:problem:internal',
          title: 'Something went wrong here',
          status: 500,
          code: 'internal',
          requestId: 'find-me',
        },
      ]);
      const mine = lines.filter((line) => line.includes('find-me'));
      expect(mine.some((line) => line.includes('"level":50'))).toBe(true);
      expect(mine.filter((line) => line.includes('"msg":"request"'))).toHaveLength(1);
      expect(lines.join('')).not.toContain(ADMIN_TOKEN);
    } finally {
      await other.close();
    }
  });

  it('answer broken HTTP with a problem as well', async () => {
    const other = await openApi();
    try {
      await other.app.fastify.listen({ host: '127.0.0.1', port: 0 });
      const { port } = other.app.fastify.server.address() as { port: number };
      const answer = await new Promise<string>((resolve, reject) => {
        let text = '';
        const socket = connect(port, '127.0.0.1', () => socket.write('NOT HTTP\r\n\r\n'));
        socket
          .on('data', (chunk) => (text += chunk))
          .on('end', () => resolve(text))
          .on('error', reject);
      });
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code: 'bad_request', status: 400 });
    } finally {
      await other.close();
    }
  });
});

describe('a database that is away', () => {
  it('makes calls 503 and retryable, and liveness none the worse', async () => {
    const other = await openApi();
    const server = new pg.Client({ connectionString: databaseUrl('postgres') });
    await server.connect();
    try {
      const name = new URL(other.db.url).pathname.slice(1);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      expectProblem(await other.get('/api/v1/tenants'), 503, 'unavailable');
      expect((await other.get('/healthz')).statusCode).toBe(200);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      expect((await other.get('/api/v1/tenants')).statusCode).toBe(200);
    } finally {
      await server.end();
      await other.close();
    }
  });
});

describe('a request that does not arrive', () => {
  it('is given up after two minutes, its headers after thirty seconds', () => {
    const { requestTimeout, headersTimeout } = api.app.fastify.server;
    expect([requestTimeout, headersTimeout]).toEqual([120_000, 30_000]);
  });
});

describe('request ids', () => {
  it('are taken over when they are sane, and made when not', async () => {
    const idOf = async (id: string) =>
      (await api.get('/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idOf('abc-123')).toBe('abc-123');
    for (const bad of ['', 'a b', 'x'.repeat(129), '"quoted"', '{"a":1}'])
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the host check', () => {
  it('serves our own names only, with any port', async () => {
    const at = (host: string) => api.get('/api/v1/setup', { headers: { host } });
    for (const host of ['localhost', 'LOCALHOST:1234', '127.0.0.1:4000', '[::1]:4000'])
      expect((await at(host)).statusCode).toBe(200);
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      'localhost@evil.example',
      '[::2]',
    ]) {
      expectProblem(await at(host), 421, 'host_not_allowed');
    }
  });

  it('is passed by no other spelling of a path', async () => {
    for (const path of ['/%61pi/v1/setup', '/ap%69/v1/setup']) {
      const answer = await api.get(path, { headers: { host: 'evil.example' } });
      expect([path, answer.statusCode]).toEqual([path, 421]);
      expect((await api.get(path)).headers['cache-control']).toBe('no-store');
    }
  });

  it('believes trusted proxies on MCP endpoints too, and nobody else', async () => {
    await api.post('/api/v1/tenants', { slug: 'proxied', name: 'Proxied' });
    await api.put('/api/v1/tenants/proxied/servers/one', { name: 'One' });
    const asked = async (host: string, forwarded: string, from: string) => {
      const headers = { host, 'x-forwarded-host': forwarded };
      return (await api.call('OPTIONS', '/mcp/proxied/one', { as: null, headers, from })).statusCode;
    };
    expect(await asked('api:4000', 'localhost', '10.1.2.3')).toBe(204);
    expect(await asked('api:4000', 'localhost', '192.0.2.9')).toBe(403);
    expect(await asked('localhost', 'evil.example', '10.1.2.3')).toBe(403);
    expect(await asked('localhost', 'evil.example', '192.0.2.9')).toBe(204);
  });

  it('believes X-Forwarded-* of trusted proxies only', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '192.0.2.1' };
    expect((await api.get('/api/v1/setup', { headers, from: '192.0.2.9' })).statusCode).toBe(200);
    expectProblem(await api.get('/api/v1/setup', { headers, from: '10.1.2.3' }), 421, 'host_not_allowed');
  });
});

describe('the API description', () => {
  it('holds every route of the management API, and no reference that leads nowhere', async () => {
    const document = (await api.get('/api/openapi.json', { as: null })).json();
    expect(document.openapi).toBe('3.1.0');
    const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    const routes = api.app.routes.all().filter(({ operation }) => operation.access !== 'gateway');
    expect(described.sort()).toEqual(routes.map(({ method, url }) => `${method} ${url}`).sort());
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    expect([...new Set(references)]).toEqual(['#/components/schemas/Problem']);
  });

  it('has a page that loads nothing', async () => {
    const page = await api.get('/api/docs', { as: null });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).not.toMatch(/<script|src=|https?:\/\/(?!127\.0\.0\.1)[^"<]*\.(js|css)/);
    expect(page.body).toContain('/api/v1/tenants/{tenant}');
  });
});

describe('a route that does not say who may call it', () => {
  it('stops the boot', () => {
    const fastify = createFastify({ bodyBytes: 1, trustedProxies: [], logger: createLogger('silent') });
    new RouteTable().watch(fastify);
    expect(() => fastify.get('/open', async () => 'x')).toThrow('GET /open does not declare who may call it');
  });
});

describe('log lines', () => {
  it('hide what is secret by name', () => {
    let line = '';
    const sink = new Writable({
      write(chunk, _encoding, done) {
        line += chunk;
        done();
      },
    });
    const hidden = 'hunter2';
    createLogger('info', sink).info(
      {
        password: hidden,
        headers: { authorization: hidden, cookie: hidden },
        body: { nested: { token: hidden, value: hidden } },
      },
      'x',
    );
    expect(line).toContain('[redacted]');
    expect(line).not.toContain(hidden);
  });
});
