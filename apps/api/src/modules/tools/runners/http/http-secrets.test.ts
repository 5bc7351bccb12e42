import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Cleanups, httpKit, listenHttp, listenTcp, memorySecrets, textOf } from '../../../../../test/stubs/http-kit.js';
import { type HttpStub, startHttpStub, stubHeader } from '../../../../../test/stubs/start-http-stub.js';

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

describe('secrets', () => {
  const value = 'c4nary/+ü s3cret';
  const bound = (hosts = ['127.0.0.1']) =>
    memorySecrets({
      KEY: { value, hosts },
      PAIR: { value: 'ada:pass-w0rd', hosts },
      PLAIN: { value: 'pl4in-canary', hosts },
    });

  it('are masked in what an answer quotes of the head too', async () => {
    const { call } = httpKit(cleanups, { secrets: bound().source });
    const auth = { type: 'bearer', secret: 'PLAIN' } as const;
    const heads = [
      'HTTP/1.1 200 pl4in-canary\r\n\r\n',
      'HTTP/1.1 500 pl4in-canary\r\nretry-after: pl4in-canary\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-type: image/pl4in-canary\r\n\r\nx',
      'HTTP/1.1 200 OK\r\ncontent-type: a/pl4in-canary\r\n\r\nx',
      'HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=pl4in-canary\r\n\r\nx',
    ];
    for (const head of heads) {
      const port = await listenTcp(cleanups, (socket) => socket.once('data', () => socket.end(head)));
      expect(JSON.stringify(await call({ url: `http://127.0.0.1:${port}/`, auth }))).not.toContain('pl4in-canary');
    }
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

  it('that the backend sends back are masked in every spelling (LOG-02)', async () => {
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

  it.each(['image/png', 'audio/wav', 'application/octet-stream'])('are masked in bytes of %s too', async (type) => {
    const url = await listenHttp(cleanups, (_req, res) =>
      res.writeHead(200, { 'content-type': type }).end(Buffer.from(`\0\xff ${value} \0`, 'utf8')),
    );
    const { call } = httpKit(cleanups, { secrets: bound().source });
    const [block] = (await call({ url, auth: { type: 'query', name: 'k', secret: 'KEY' } })).content;
    const base64 =
      block?.type === 'resource' ? (block.resource as { blob: string }).blob : (block as { data: string }).data;
    expect(Buffer.from(base64, 'base64').toString('utf8')).toBe('\0\xff [secret KEY] \0');
  });

  it('are masked behind JSON escapes too', async () => {
    const hidden = value.replace('/', '\\/').replace('ü', '\\u00fc');
    const url = await listenHttp(cleanups, (_req, res) =>
      res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"list":["${hidden}"],"big":12345678901234567890}`),
    );
    const { call } = httpKit(cleanups, { secrets: bound().source });
    const outcome = await call({ url, auth: { type: 'query', name: 'k', secret: 'KEY' } });
    expect(outcome.structuredContent).toMatchObject({ list: ['[secret KEY]'] });
    expect(textOf(outcome)).not.toContain('c4nary');
  });

  it('and headers do not show in failures (LOG-02)', async () => {
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
