import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Cleanups, listenHttp, memorySecrets } from '../../../../../test/stubs/http-kit.js';
import { type HttpStub, startHttpStub, stubHeader } from '../../../../../test/stubs/start-http-stub.js';
import { EgressGuard, type EgressGuardOptions } from '../../../../infra/egress/index.js';
import { GuestFetch, GuestFetchError, type GuestRequest } from './guest-fetch.js';

const cleanups = new Cleanups();
let stub: HttpStub;

beforeAll(async () => {
  stub = await startHttpStub();
});
beforeEach(() => stub.reset());
afterEach(() => cleanups.run());
afterAll(() => stub.stop());

function guest(options: EgressGuardOptions = { allow: ['127.0.0.0/8'] }, hosts = ['127.0.0.1']) {
  const guard = new EgressGuard(options);
  cleanups.add(() => guard.close());
  const secrets = memorySecrets({ KEY: { value: 'c4nary-s3cret', hosts } });
  const fetcher = new GuestFetch({ guard, secrets: secrets.source, timeoutMs: 5_000, maxRequestBytes: 1_000 });
  return (request: Partial<GuestRequest> & { url: string }) =>
    fetcher.fetch(
      { tenantId: 't', egressAllow: [] },
      { method: 'GET', headers: [], signal: new AbortController().signal, ...request },
    );
}

const textOf = (response: { body: Uint8Array }) => Buffer.from(response.body).toString();

describe('ctx.fetch', () => {
  it('sends method, headers and body, and gives status, headers and bytes', async () => {
    const response = await guest()({
      url: `${stub.url}/echo?a=1#frag`,
      method: 'post',
      headers: [['X-A', '{not} a {{slot}}']],
      body: Buffer.from('é'),
    });
    expect(response).toMatchObject({ status: 200, statusText: 'OK', url: `${stub.url}/echo?a=1` });
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.parse(textOf(response))).toMatchObject({
      method: 'POST',
      body: 'é',
      headers: { 'x-a': '{not} a {{slot}}' },
    });
    expect(
      Buffer.from((await guest()({ url: `${stub.url}/png` })).body)
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  it('gives error statuses as answers', async () => {
    expect((await guest()({ url: `${stub.url}/status/500` })).status).toBe(500);
  });

  it('fills secrets in headers and never shows them', async () => {
    const response = await guest()({ url: `${stub.url}/echo`, headers: [['Authorization', 'Bearer {{secret.KEY}}']] });
    const [seen] = await stub.log();
    expect(stubHeader(seen, 'authorization')).toBe('Bearer c4nary-s3cret');
    expect(textOf(response)).toContain('Bearer [secret KEY]');
    expect(textOf(response)).not.toContain('c4nary');
  });

  it('refuses secrets of other hosts and drops them on a redirect to another origin', async () => {
    const headers = [['X-Key', '{{secret.KEY}}']] as const;
    await expect(guest(undefined, ['api.example.com'])({ url: `${stub.url}/echo`, headers })).rejects.toThrow(
      /not bound/,
    );
    const first = await listenHttp(cleanups, (_req, res) => res.writeHead(307, { location: `${stub.url}/echo` }).end());
    await guest()({ url: first, headers });
    const [seen] = await stub.log();
    expect(stubHeader(seen, 'x-key')).toBeUndefined();
  });

  it.each([
    [{ url: 'http://10.0.0.1/' }, /not on the public internet/],
    [{ url: 'http://localhost./' }, /not on the public internet/],
    [{ url: 'ftp://example.com/' }, /only http/],
    [{ url: 'nonsense' }, /absolute URL/],
    [{ url: 'https://example.com/', method: 'CONNECT' }, /method/],
    [{ url: 'https://example.com/', method: 'GET /x' }, /method/],
    [{ url: 'https://example.com/', body: 'x' }, /no body/],
    [{ url: 'https://example.com/', method: 'POST', body: 'x'.repeat(1_001) }, /longer than 1000/],
    [{ url: 'https://example.com/', headers: [['Host', 'x']] as const }, /"Host"/],
    [{ url: 'https://example.com/', headers: [['X-A', 'a\r\nb']] as const }, /"X-A"/],
    [{ url: 'https://example.com/', headers: [['X-A', '{{secret.low}}']] as const }, /secret's name/],
  ])('refuses %j', async (request, words) => {
    const error = await guest({})(request).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(GuestFetchError);
    expect((error as Error).message).toMatch(words);
  });

  it('shows or forbids redirects when asked to', async () => {
    const url = `${stub.url}/redirect?to=/echo`;
    const shown = await guest()({ url, redirect: 'manual' });
    expect(shown.status).toBe(302);
    expect(Object.fromEntries(shown.headers).location).toBe('/echo');
    await expect(guest()({ url, redirect: 'error' })).rejects.toThrow(/redirect/);
    expect((await guest()({ url })).url).toBe(`${stub.url}/echo`);
  });

  it('refuses an answer longer than the limit', async () => {
    await expect(guest()({ url: `${stub.url}/big?kb=100`, maxBodyBytes: 50_000 })).rejects.toThrow(/longer than 50000/);
  });

  it('ends with the call', async () => {
    const abort = new AbortController();
    const url = await listenHttp(cleanups, () => abort.abort());
    await expect(guest()({ url, signal: abort.signal })).rejects.toThrow(/cancelled/);
  });
});
