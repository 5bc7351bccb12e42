import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpStub, startHttpStub, stubHeader } from '../../../../../test/stubs/start-http-stub.js';
import { Cleanups, httpKit, listenHttp, listenTcp, memorySecrets, textOf } from './test-kit.js';

const cleanups = new Cleanups();
let stub: HttpStub;

beforeAll(async () => {
  stub = await startHttpStub();
});
beforeEach(() => stub.reset());
afterEach(() => cleanups.run());
afterAll(() => stub.stop());

/** What `/echo` saw. */
async function echo(spec: Record<string, unknown>, args: Record<string, unknown> = {}, secrets = memorySecrets({})) {
  const { call } = httpKit(cleanups, { secrets: secrets.source });
  const outcome = await call({ url: `${stub.url}/echo`, ...spec }, args);
  expect(outcome.isError, textOf(outcome)).toBeUndefined();
  return outcome.structuredContent as { method: string; target: string; headers: Record<string, string>; body: string };
}

describe('the request', () => {
  it('takes path arguments from the URL and sends the rest of a GET in the query', async () => {
    const seen = await echo(
      { url: `${stub.url}/echo/{id}` },
      { id: 'a/b', n: 1, on: true, tags: ['x y', 'z'], o: { k: 1 }, gone: null },
    );
    expect(seen).toMatchObject({ method: 'GET', body: '' });
    expect(seen.target).toBe('/echo/a%2Fb?n=1&on=true&tags=x%20y&tags=z&o=%7B%22k%22%3A1%7D');
  });

  it('sends the rest of a POST as JSON', async () => {
    const seen = await echo({ method: 'POST', url: `${stub.url}/echo/{id}` }, { id: 1, name: 'Zoë', list: [1] });
    expect(seen.target).toBe('/echo/1');
    expect(seen.headers['content-type']).toBe('application/json');
    expect(JSON.parse(seen.body)).toEqual({ name: 'Zoë', list: [1] });
  });

  it('sends the rest of a DELETE in the query, and an explicit body when there is one', async () => {
    expect((await echo({ method: 'DELETE' }, { force: true })).target).toBe('/echo?force=true');
    expect(await echo({ method: 'DELETE', body: { ids: '{ids}' } }, { ids: [1, 2], x: 1 })).toMatchObject({
      target: '/echo',
      body: '{"ids":[1,2]}',
    });
  });

  it('follows an explicit query and headers, and leaves out what has no argument', async () => {
    const seen = await echo(
      {
        query: { expand: '{expand}', q: 'id:{id}', gone: '{gone}' },
        headers: { 'X-Id': '{id}', 'X-Gone': '{gone}', 'X-Mix': 'v{gone}' },
      },
      { expand: ['a', 'b'], id: 7, other: 'not sent' },
    );
    expect(seen.target).toBe('/echo?expand=a&expand=b&q=id%3A7');
    expect(seen.headers).toMatchObject({ 'x-id': '7', 'x-mix': 'v' });
    expect(seen.headers['x-gone']).toBeUndefined();
  });

  it('builds a body from a template and keeps the types of whole slots', async () => {
    const body = {
      id: '{id}',
      note: 'n {id}',
      gone: '{gone}',
      list: ['{gone}', '{flag}'],
      fixed: 3,
      deep: { o: '{o}' },
      lit: '{{x}}',
    };
    const seen = await echo({ method: 'PUT', body }, { id: 7, flag: false, o: { a: null }, unmapped: 1 });
    expect(JSON.parse(seen.body)).toEqual({
      id: 7,
      note: 'n 7',
      list: [null, false],
      fixed: 3,
      deep: { o: { a: null } },
      lit: '{x}',
    });
  });

  it('sends no body when told so, and forms and text when the content type says so', async () => {
    expect((await echo({ method: 'POST', body: 'none' }, { a: 1 })).body).toBe('');
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await echo({ method: 'POST', headers: form }, { a: 'x y', b: [1, 2] })).body).toBe('a=x%20y&b=1&b=2');
    expect(
      (await echo({ method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hi {a}' }, { a: 'é' })).body,
    ).toBe('hi é');
    expect((await echo({ method: 'POST', body: 'hi {a}' }, { a: 1 })).body).toBe('"hi 1"');
    expect((await echo({ method: 'POST', body: '{a}' }, { a: [1] })).body).toBe('[1]');
  });

  it.each([['a\r\nX-Evil: 1'], ['a\nb'], ['a\u0000b'], ['€']])('refuses %j in a header value', async (value) => {
    const { call } = httpKit(cleanups);
    const outcome = await call({ url: `${stub.url}/echo`, headers: { 'X-A': 'v {a}' } }, { a: value });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/X-A/);
    expect(await stub.log()).toHaveLength(0);
  });

  it.each(['', '.', '..', '../ctl', 'a\nb', undefined])('is not sent with %j in the path', async (id) => {
    const { call } = httpKit(cleanups);
    const outcome = await call({ url: `${stub.url}/echo/things/{id}` }, { id });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/"id"/);
    expect(await stub.log()).toHaveLength(0);
  });

  it.each(['../../admin', 'a?x=1', 'a#b', 'a b', '%2e%2e', '@evil.test', '\\\\evil.test', '//evil.test'])(
    'stays below its path with %j',
    async (id) => {
      const { call } = httpKit(cleanups);
      await call({ url: `${stub.url}/echo/things/{id}` }, { id });
      for (const { target } of await stub.log()) {
        expect(target).toMatch(/^\/echo\/things\/[^/?#]+$/);
      }
    },
  );
});

describe('publishing', () => {
  const faultsOf = (spec: Record<string, unknown>) => {
    const compiled = httpKit(cleanups, { guard: { allow: [] } }).compile({ url: 'https://api.example.com/x', ...spec });
    return compiled.ok ? [] : compiled.faults.map((fault) => fault.path);
  };

  it.each([
    [{ url: 'http://127.0.0.1/x' }, '/url'],
    [{ url: 'http://[::ffff:a9fe:a9fe]/{x}' }, '/url'],
    [{ url: 'http://localhost.:81/{x}' }, '/url'],
    [{ url: 'http://user:pw@api.example.com/' }, '/url'],
    [{ url: 'https://{host}/' }, '/url'],
    [{ url: 'https://api.example.com/{{secret.KEY}}' }, '/url'],
    [{ headers: { Host: 'x' } }, '/headers/Host'],
    [{ headers: { 'Content-Length': '1' } }, '/headers/Content-Length'],
    [{ headers: { 'a b': 'x' } }, '/headers/a b'],
    [{ headers: { 'X-A': 'a\r\nb' } }, '/headers/X-A'],
    [{ headers: { 'X-A': '{{secret.lower}}' } }, '/headers/X-A'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, '/headers/x-a'],
    [{ query: { q: '{{secret.KEY}}' } }, '/query/q'],
    [{ method: 'POST', body: { a: ['{{secret.KEY}}'] } }, '/body/a/0'],
    [{ method: 'GET', body: { a: 1 } }, '/body'],
    [{ auth: { type: 'bearer', secret: 'K' }, headers: { authorization: 'x' } }, '/auth'],
    [{ auth: { type: 'header', name: 'Host', secret: 'K' } }, '/auth/name'],
    [{ auth: { type: 'query', name: 'k', secret: 'K' }, query: { k: 'x' } }, '/auth/name'],
    [{ auth: { type: 'basic', username: 'a:b', secret: 'K' } }, '/auth/username'],
  ])('refuses %j at %s', (spec, path) => {
    expect(faultsOf(spec)).toEqual([path]);
  });

  it('names every fault in one pass', () => {
    expect(faultsOf({ url: 'http://10.0.0.1/{+x}', headers: { Host: '1', TE: '2' } })).toEqual([
      '/url',
      '/headers/Host',
      '/headers/TE',
    ]);
  });

  it('warns of an argument that goes nowhere', () => {
    const schema = { properties: { id: {}, lost: {} } };
    const { compile } = httpKit(cleanups);
    const compiled = compile({ url: 'https://api.example.com/{id}', query: { a: '1' } }, schema);
    expect(compiled.ok && compiled.warnings.map((note) => note.message)).toEqual([expect.stringContaining('"lost"')]);
    const quiet = compile({ url: 'https://api.example.com/{id}' }, schema);
    expect(quiet.ok && quiet.warnings).toEqual([]);
  });
});

describe('secrets', () => {
  const value = 'c4nary/+ü s3cret';
  const bound = (hosts = ['127.0.0.1']) =>
    memorySecrets({
      KEY: { value, hosts },
      PAIR: { value: 'ada:pass-w0rd', hosts },
      PLAIN: { value: 'pl4in-canary', hosts },
    });

  it('fill every kind of auth', async () => {
    const { call } = httpKit(cleanups, { secrets: bound().source });
    const url = `${stub.url}/echo`;
    await call({ url, auth: { type: 'bearer', secret: 'PLAIN' } });
    await call({ url, auth: { type: 'basic', username: 'ada', secret: 'PLAIN' } });
    await call({ url, auth: { type: 'basic', secret: 'PAIR' } });
    await call({ url, auth: { type: 'header', name: 'X-Key', secret: 'PLAIN' } });
    await call({ url, auth: { type: 'query', name: 'key', secret: 'KEY' } }, { a: 1 });
    await call({ url, headers: { 'X-Team': 't={{secret.PLAIN}};' } });
    const log = await stub.log();
    expect(stubHeader(log[0], 'authorization')).toBe('Bearer pl4in-canary');
    expect(stubHeader(log[1], 'authorization')).toBe(`Basic ${btoa('ada:pl4in-canary')}`);
    expect(stubHeader(log[2], 'authorization')).toBe(`Basic ${btoa('ada:pass-w0rd')}`);
    expect(stubHeader(log[3], 'x-key')).toBe('pl4in-canary');
    expect(log[4]?.target).toBe('/echo?a=1&key=c4nary%2F%2B%C3%BC%20s3cret');
    expect(stubHeader(log[5], 'x-team')).toBe('t=pl4in-canary;');
  });

  it('go to their hosts only', async () => {
    const secrets = bound(['api.example.com', '127.0.0.1:1']);
    const { call } = httpKit(cleanups, { secrets: secrets.source });
    const outcome = await call({ url: `${stub.url}/echo`, auth: { type: 'bearer', secret: 'KEY' } });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain('not bound to the host');
    expect(secrets.opened).toEqual([`KEY@${stub.host}`]);
    expect(await stub.log()).toHaveLength(0);
    const missing = await call({ url: `${stub.url}/echo`, auth: { type: 'bearer', secret: 'NONE' } });
    expect(textOf(missing)).toContain('no secret "NONE"');
  });

  it('are not opened for a call that cannot be sent', async () => {
    const secrets = bound();
    const { call } = httpKit(cleanups, { secrets: secrets.source });
    await call({ url: `${stub.url}/echo/{id}`, auth: { type: 'bearer', secret: 'KEY' } }, { id: '..' });
    expect(secrets.opened).toEqual([]);
  });

  it('that an argument spells are text', async () => {
    const secrets = bound();
    const seen = await echo({ headers: { 'X-A': '{a}' } }, { a: '{{secret.PLAIN}}' }, secrets);
    expect(seen.headers['x-a']).toBe('{{secret.PLAIN}}');
    expect(secrets.opened).toEqual([]);
  });

  it('stay behind when a redirect leaves the origin, and stay along when it does not', async () => {
    const { call } = httpKit(cleanups, { secrets: bound().source });
    const spec = {
      auth: { type: 'bearer', secret: 'PLAIN' },
      headers: { 'X-Key': '{{secret.PLAIN}}', 'X-Open': 'o' },
    } as const;
    const first = await listenHttp(cleanups, (_req, res) => res.writeHead(302, { location: `${stub.url}/echo` }).end());
    await call({ url: first, ...spec });
    await call({ url: `${stub.url}/redirect?to={to}`, ...spec }, { to: '/echo' });
    const [crossed, , same] = await stub.log();
    expect(stubHeader(crossed, 'authorization')).toBeUndefined();
    expect(stubHeader(crossed, 'x-key')).toBeUndefined();
    expect(stubHeader(crossed, 'x-open')).toBe('o');
    expect(stubHeader(same, 'authorization')).toBe('Bearer pl4in-canary');
  });

  it('that the backend sends back are masked in every spelling', async () => {
    const shout = await listenHttp(cleanups, (req, res) => {
      const status = Number(new URL(req.url ?? '', 'http://x').pathname.slice(1));
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(
        JSON.stringify({ target: req.url, key: req.headers['x-key'], auth: req.headers.authorization, raw: value }),
      );
    });
    const { call } = httpKit(cleanups, { secrets: bound().source });
    for (const status of [200, 401, 500]) {
      const outcome = await call({
        url: `${shout}/${status}?a={a}`,
        headers: { 'X-Key': '{{secret.PLAIN}}', Authorization: '{{secret.PAIR}}' },
        auth: { type: 'query', name: 'k', secret: 'KEY' },
      });
      const all = JSON.stringify(outcome);
      expect(all).toContain('[secret PLAIN]');
      expect(all).not.toMatch(/c4nary|s3cret|pl4in|pass-w0rd/);
    }
  });

  it('and headers do not show in failures', async () => {
    const reset = await listenTcp(cleanups, (socket) => socket.once('data', () => socket.destroy()));
    const silent = await listenTcp(cleanups, () => undefined);
    const { call } = httpKit(cleanups, { secrets: bound().source });
    const auth = { type: 'bearer', secret: 'PLAIN' } as const;
    for (const url of [`http://127.0.0.1:${reset}`, `http://127.0.0.1:${silent}`, `https://127.0.0.1:${reset}`]) {
      const outcome = await call({ url, auth }, {}, { timeoutMs: 80 });
      expect(outcome.isError).toBe(true);
      expect(JSON.stringify(outcome)).not.toMatch(/pl4in|Bearer|127\.0\.0\.1|authorization/i);
    }
  });
});

describe('the answer', () => {
  const get = async (path: string, options = {}) => httpKit(cleanups, options).call({ url: stub.url + path });

  it('is structured content with a text copy for a JSON object', async () => {
    const outcome = await httpKit(cleanups).call({ url: `${stub.url}/charge`, method: 'POST' });
    expect(outcome).toMatchObject({ content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } });
    expect(outcome.upstream).toMatchObject({ status: 200, bytes: 7 });
    expect(outcome.upstream?.durationMs).toBeGreaterThan(0);
  });

  it('is text for other JSON', async () => {
    expect(await get('/array')).toMatchObject({ content: [{ type: 'text', text: '[{"id":1},{"id":2}]' }] });
    expect(await get('/array')).not.toHaveProperty('structuredContent');
  });

  it('is decoded by its charset', async () => {
    expect(textOf(await get('/cp1252'))).toBe('café – 5€');
    expect(textOf(await get('/badutf8'))).toBe('ok\uFFFD\uFFFD!');
    expect(textOf(await get('/csv'))).toContain('Zoë');
    const odd = await listenHttp(cleanups, (_req, res) =>
      res.writeHead(200, { 'content-type': 'text/plain; charset=klingon' }).end('é'),
    );
    const outcome = await httpKit(cleanups).call({ url: odd });
    expect(outcome.content).toEqual([
      { type: 'text', text: 'é' },
      { type: 'text', text: expect.stringContaining('klingon') },
    ]);
  });

  it('holds no halves of surrogate pairs', async () => {
    const outcome = await get('/surrogate');
    expect(outcome.structuredContent).toEqual({ text: 'ok \uFFFD end', '\uFFFDkey': 1 });
    expect(JSON.parse(textOf(outcome))).toEqual(outcome.structuredContent);
  });

  it('is an image, an audio block or an embedded resource by its type', async () => {
    expect((await get('/png')).content).toEqual([
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) },
    ]);
    const types = ['audio/mpeg', 'application/pdf', undefined];
    const url = await listenHttp(cleanups, (req, res) => {
      const type = types[Number(req.url?.slice(1))];
      res.writeHead(200, type ? { 'content-type': type } : {}).end(Buffer.from([0, 255]));
    });
    const { call } = httpKit(cleanups);
    expect((await call({ url: `${url}/0` })).content).toEqual([
      { type: 'audio', mimeType: 'audio/mpeg', data: 'AP8=' },
    ]);
    for (const [i, mimeType] of [
      [1, 'application/pdf'],
      [2, 'application/octet-stream'],
    ] as const) {
      expect((await call({ url: `${url}/${i}` })).content).toEqual([
        { type: 'resource', resource: { uri: 'tool-result://probe', mimeType, blob: 'AP8=' } },
      ]);
    }
  });

  it('is a short text when it is empty', async () => {
    for (const path of ['/empty204', '/emptyjson']) {
      const outcome = await get(path);
      expect(outcome.isError).toBeUndefined();
      expect(textOf(outcome)).toMatch(/empty body/);
    }
    const { call } = httpKit(cleanups);
    expect(textOf(await call({ url: `${stub.url}/echo`, method: 'HEAD' }))).toMatch(/200/);
  });

  it('that is called JSON and is not is an error with an excerpt', async () => {
    const outcome = await get('/notjson');
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain('Maintenance');
  });

  it.each([401, 404, 422, 500])('of status %i is an error with status and body', async (status) => {
    const outcome = await get(`/status/${status}`);
    expect(outcome).toMatchObject({ isError: true, upstream: { status } });
    expect(outcome).not.toHaveProperty('structuredContent');
    expect(textOf(outcome)).toMatch(new RegExp(`${status} .*\\n.*field .*qty`, 's'));
  });

  it('says when to come back', async () => {
    expect(textOf(await get('/status/429'))).toContain('Retry-After: 7');
  });

  it('longer than the limit is cut and says so', async () => {
    const outcome = await get('/big?kb=2048', { runner: { maxResponseBytes: 1_000_000 } });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/longer than the limit of 1000000 bytes and was cut/);
    expect(textOf(outcome).length).toBeLessThan(100_000);
    expect((await get('/big?kb=100')).isError).toBeUndefined();
  });

  it('without end keeps memory flat and the connection is cut', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const url = await listenHttp(cleanups, (req, res) => {
      closed = new Promise((resolve) => req.socket.once('close', resolve));
      res.writeHead(200, { 'content-type': 'text/plain' });
      const chunk = Buffer.alloc(256 * 1024, 'x');
      const pump = () => {
        while (!res.destroyed && res.write(chunk));
        res.once('drain', pump);
      };
      pump();
    });
    const outcome = await httpKit(cleanups).call({ url }, {}, { timeoutMs: 20_000 });
    expect(textOf(outcome)).toMatch(/16777216 bytes and was cut/);
    expect(outcome.upstream?.bytes).toBeLessThan(20 * 1024 * 1024);
    await closed;
  });

  it('that inflates without end is cut', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const url = await listenHttp(cleanups, (_req, res) =>
      res.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(textOf(await httpKit(cleanups).call({ url }))).toMatch(/was cut/);
  });

  it('too deep to encode is text only', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const url = await listenHttp(cleanups, (_req, res) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end(deep),
    );
    const outcome = await httpKit(cleanups).call({ url });
    expect(outcome).not.toHaveProperty('structuredContent');
    expect(textOf(outcome)).toBe(deep);
  });
});

describe('a backend', () => {
  it('that hangs is left at the time limit, which the error names', async () => {
    const { call } = httpKit(cleanups);
    const outcome = await call({ url: `${stub.url}/slow?ms=20000` }, {}, { timeoutMs: 60 });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/"probe" stopped at its time limit.*60 ms/);
    await expect.poll(async () => (await stub.log())[0]?.aborted).toBe(true);
  });

  it('that loses a POST is not asked again, and the doubt is said', async () => {
    const { call } = httpKit(cleanups);
    const outcome = await call({ url: `${stub.url}/charge-then-drop`, method: 'POST' });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/unknown; it was not sent again/);
    expect(await stub.charges()).toHaveLength(1);
  });

  it('that is not there, breaks off, or speaks nonsense is an error in plain words', async () => {
    const spare = createServer().listen(0, '127.0.0.1');
    await once(spare, 'listening');
    const { port: closedPort } = spare.address() as { port: number };
    spare.close();
    await once(spare, 'close');
    const reset = await listenTcp(cleanups, (socket) => socket.once('data', () => socket.destroy()));
    const nonsense = await listenTcp(cleanups, (socket) => socket.once('data', () => socket.end('what?\r\n\r\n')));
    const half = await listenTcp(cleanups, (socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')),
    );
    const { call } = httpKit(cleanups);
    for (const [url, words] of [
      [`http://127.0.0.1:${closedPort}`, /refused the connection/],
      [`http://127.0.0.1:${reset}`, /closed the connection/],
      [`http://127.0.0.1:${nonsense}`, /not valid HTTP/],
      [`http://127.0.0.1:${half}`, /closed the connection before its answer was complete/],
      [`https://127.0.0.1:${nonsense}`, /TLS/],
    ] as const) {
      const outcome = await call({ url });
      expect(outcome.isError).toBe(true);
      expect(textOf(outcome)).toMatch(words);
    }
  });

  it('sees the connection close at once when the call is cancelled', async () => {
    const abort = new AbortController();
    let closed: Promise<unknown> = Promise.resolve();
    const url = await listenHttp(cleanups, (req) => {
      closed = new Promise((resolve) => req.socket.once('close', resolve));
      abort.abort();
    });
    const outcome = await httpKit(cleanups).call({ url, method: 'POST' }, { a: 1 }, { signal: abort.signal });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/cancelled/);
    await closed;
  });

  it('that redirects inwards is not followed', async () => {
    const { call } = httpKit(cleanups, { guard: { allow: [stub.host] } });
    let reached = 0;
    const inner = await listenHttp(cleanups, (_req, res) => {
      reached += 1;
      res.end();
    });
    const outcome = await call({ url: `${stub.url}/redirect?to={to}` }, { to: inner });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/may not be reached from tools/);
    expect(reached).toBe(0);
  });
});
