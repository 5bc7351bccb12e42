import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Cleanups, httpKit, listenHttp, textOf } from '../../../../../test/stubs/http-kit.js';
import { type HttpStub, startHttpStub } from '../../../../../test/stubs/start-http-stub.js';

const cleanups = new Cleanups();
let stub: HttpStub;

beforeAll(async () => {
  stub = await startHttpStub();
});
beforeEach(() => stub.reset());
afterEach(() => cleanups.run());
afterAll(() => stub.stop());

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

  it('is decoded by its charset (PAY-02)', async () => {
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

  it('keeps in its text what numbers lose when parsed', async () => {
    const url = await listenHttp(cleanups, (_req, res) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"n":12345678901234567890,"s":"a\\nb"}'),
    );
    expect(textOf(await httpKit(cleanups).call({ url }))).toBe('{"n":12345678901234567890,"s":"a\\nb"}');
  });

  it('to a HEAD, or an empty one, may be called compressed', async () => {
    const url = await listenHttp(cleanups, (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end());
    for (const method of ['HEAD', 'GET'] as const) {
      expect(textOf(await httpKit(cleanups).call({ url, method }))).toMatch(/empty body/);
    }
  });

  it('of a binary type that names a charset is still binary', async () => {
    const url = await listenHttp(cleanups, (_req, res) =>
      res.writeHead(200, { 'content-type': 'application/pdf;charset=UTF-8' }).end(Buffer.from([0x25, 0xe2, 0xe3])),
    );
    expect((await httpKit(cleanups).call({ url })).content[0]).toMatchObject({ type: 'resource' });
  });

  it('holds no halves of surrogate pairs', async () => {
    const outcome = await get('/surrogate');
    expect(outcome.structuredContent).toEqual({ text: 'ok \uFFFD end', '\uFFFDkey': 1 });
    expect(JSON.parse(textOf(outcome))).toEqual(outcome.structuredContent);
  });

  it('is an image, an audio block or an embedded resource by its type (PAY-04)', async () => {
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
