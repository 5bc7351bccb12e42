import { RunFailure } from '@gantry/mcp-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups, httpKit, type Kit, listenHttp, memorySecrets } from '../../../../../test/stubs/http-kit.js';
import { type HttpStub, startHttpStub } from '../../../../../test/stubs/start-http-stub.js';

const cleanups = new Cleanups();
let stub: HttpStub;

beforeAll(async () => {
  stub = await startHttpStub();
});
afterEach(() => cleanups.run());
afterAll(() => stub.stop());

type Spec = Parameters<ReturnType<typeof httpKit>['compile']>[0];

async function read(
  spec: Spec,
  { kit = {} as Kit, variables = {}, mimeType = undefined as string | undefined, timeoutMs = 5_000 } = {},
) {
  const { runner, compile } = httpKit(cleanups, kit);
  const compiled = compile(spec);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  const asked = { uri: 'doc:1', mimeType, variables, timeoutMs };
  const { signal } = new AbortController();
  const { contents } = await runner.read(compiled.plan, asked, { signal }, { tenantId: 't', egressAllow: [] });
  return contents[0] as { uri: string; mimeType?: string; text?: string; blob?: string };
}

const backend = (type: string | undefined, body: string | Buffer) =>
  listenHttp(cleanups, (_req, res) => res.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body));

describe('a resource read over HTTP', () => {
  it('is text with its media type, JSON included, in its own charset', async () => {
    expect(await read({ url: `${stub.url}/array` })).toEqual({
      uri: 'doc:1',
      mimeType: 'application/json',
      text: '[{"id":1},{"id":2}]',
    });
    expect((await read({ url: `${stub.url}/cp1252` })).text).toBe('café – 5€');
    expect((await read({ url: `${stub.url}/badutf8` })).text).toBe('ok\uFFFD\uFFFD!');
    expect(await read({ url: await backend('application/json', '{ not json') })).toMatchObject({ text: '{ not json' });
    expect(await read({ url: await backend('text/plain', '') })).toMatchObject({ text: '' });
  });

  it('is a blob when it is an image or other bytes', async () => {
    const png = await read({ url: `${stub.url}/png` });
    expect(png.mimeType).toBe('image/png');
    expect(Buffer.from(png.blob ?? '', 'base64')).toHaveLength(70);
    const bytes = await backend('application/octet-stream', Buffer.of(0, 255, 7));
    expect(await read({ url: bytes })).toEqual({ uri: 'doc:1', mimeType: 'application/octet-stream', blob: 'AP8H' });
  });

  it('has the media type of the document when the backend names none', async () => {
    const url = await backend(undefined, 'plain');
    expect(await read({ url }, { mimeType: 'text/markdown' })).toEqual({
      uri: 'doc:1',
      mimeType: 'text/markdown',
      text: 'plain',
    });
    expect(await read({ url })).toEqual({ uri: 'doc:1', text: 'plain' });
  });

  it('puts the variables of its URI where the address names them, and the rest in the query', async () => {
    const variables = { id: 'a/b', lang: 'en' };
    const { text } = await read({ url: `${stub.url}/echo/{id}` }, { variables });
    expect(JSON.parse(text ?? '')).toMatchObject({ target: '/echo/a%2Fb?lang=en' });
  });

  it('fails with the status and an excerpt of the body', async () => {
    const failed = read({ url: `${stub.url}/status/404` });
    await expect(failed).rejects.toThrow(RunFailure);
    await expect(failed).rejects.toThrow(/^Resource "doc:1" cannot be read\. The backend answered 404 Not Found\.\n\{/);
  });

  it('fails when it is longer than the limit, late, or not to be reached', async () => {
    const long = read({ url: `${stub.url}/array` }, { kit: { runner: { maxResponseBytes: 5 } } });
    await expect(long).rejects.toThrow(
      /Resource "doc:1" stopped: the backend's answer .* longer than the limit of 5 bytes/,
    );
    await expect(read({ url: `${stub.url}/slow?ms=20000` }, { timeoutMs: 60 })).rejects.toThrow(
      /^Resource "doc:1" stopped at its time limit/,
    );
    const to = encodeURIComponent('http://169.254.169.254/');
    const inner = read({ url: `${stub.url}/redirect?to=${to}` });
    await expect(inner).rejects.toThrow(RunFailure);
  });

  it('shows no secret: in text, behind JSON escapes, in bytes, in failures', async () => {
    const value = 'top/secret';
    const kit = (): Kit => ({ secrets: memorySecrets({ KEY: { value, hosts: ['127.0.0.1'] } }).source });
    const auth = { type: 'bearer', secret: 'KEY' } as const;
    const escaped = '{"a":"top\\u002fsecret"}';
    for (const [type, body] of [
      ['text/plain', `key ${value}`],
      ['application/json', escaped],
      ['application/octet-stream', Buffer.from(`\0${value}`)],
    ] as const) {
      const { text, blob } = await read({ url: await backend(type, body), auth }, { kit: kit() });
      const shown = text ?? Buffer.from(blob ?? '', 'base64').toString();
      expect(shown).toContain('[secret KEY]');
      expect(shown).not.toContain(value);
    }
    const url = await listenHttp(cleanups, (_req, res) => res.writeHead(500).end(`no: ${value}`));
    await expect(read({ url, auth }, { kit: kit() })).rejects.toThrow('no: [secret KEY]');
  });
});
