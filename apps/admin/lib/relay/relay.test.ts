// @vitest-environment node
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { relay } from './relay';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function api(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer(handle);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const own = { origin: 'http://console.test', host: 'console.test', 'sec-fetch-site': 'same-origin' };
const request = (method: string, init: RequestInit & { path?: string } = {}) =>
  new Request(`http://console.test/api/v1/${init.path ?? 'tenants?limit=2'}`, {
    method,
    headers: own,
    ...init,
    duplex: 'half',
  } as RequestInit);
const settings = (apiUrl: string, token: string | undefined = 'session-token') => ({
  apiUrl,
  adminOrigin: 'http://console.test',
  token,
});

describe('the relay to the API', () => {
  it('turns the cookie into a bearer token and keeps path and query', async () => {
    let seen: IncomingMessage | undefined;
    const url = await api((incoming, response) => {
      seen = incoming;
      response.setHeader('x-request-id', 'r-1').setHeader('etag', '"v1"').setHeader('set-cookie', 'x=y').end('{}');
    });
    const answer = await relay(
      request('GET', { headers: { ...own, cookie: 'gantry_session=session-token' } }),
      ['tenants'],
      settings(url),
    );
    expect(seen?.url).toBe('/api/v1/tenants?limit=2');
    expect(seen?.headers.authorization).toBe('Bearer session-token');
    expect(seen?.headers.cookie).toBeUndefined();
    expect(answer.headers.get('x-request-id')).toBe('r-1');
    expect(answer.headers.get('etag')).toBe('"v1"');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  it('encodes what stood encoded in a segment', async () => {
    let path: string | undefined;
    const url = await api((incoming, response) => {
      path = incoming.url;
      response.end('{}');
    });
    await relay(request('GET', { path: 'x' }), ['tools', 'a/../b ?'], settings(url));
    expect(path).toBe('/api/v1/tools/a%2F..%2Fb%20%3F');
  });

  it('passes refusals on with status and body', async () => {
    const url = await api((_incoming, response) => {
      response.writeHead(422, { 'content-type': 'application/problem+json' }).end('{"code":"validation_failed"}');
    });
    const answer = await relay(request('PUT', { body: '{}' }), ['tenants', 'a'], settings(url));
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({ code: 'validation_failed' });
  });

  it.each([
    ['another site', { origin: 'http://evil.test', host: 'console.test', 'sec-fetch-site': 'cross-site' }],
    [
      'another port of the same host',
      { origin: 'http://console.test:81', host: 'console.test', 'sec-fetch-site': 'same-site' },
    ],
    ['a sandboxed page', { origin: 'null', host: 'console.test' }],
    ['no browser', { host: 'console.test' }],
  ])('refuses a change from %s before the API hears of it', async (_who, headers) => {
    let heard = false;
    const url = await api((_incoming, response) => {
      heard = true;
      response.end();
    });
    const answer = await relay(request('POST', { headers, body: '{}' }), ['tenants'], settings(url));
    expect(answer.status).toBe(403);
    expect((await answer.json()).code).toBe('origin_not_allowed');
    expect(heard).toBe(false);
  });

  it.each([[['auth', 'sign-in']], [['setup']], [['..', 'openapi.json']]])('never relays POST %j', async (segments) => {
    const answer = await relay(request('POST', { body: '{}' }), segments, settings('http://127.0.0.1:1'));
    expect(answer.status).toBe(404);
  });

  it('says in a problem document that the API is away', async () => {
    const answer = await relay(request('GET'), ['tenants'], settings('http://127.0.0.1:1'));
    expect(answer.status).toBe(503);
    expect((await answer.json()).code).toBe('unavailable');
  });

  it('hands on each event of a stream as it comes', async () => {
    let send: ((text: string) => void) | undefined;
    const url = await api((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send = (text) => response.write(text);
      response.write('data: 1\n\n');
    });
    const answer = await relay(request('POST', { body: '{}' }), ['try'], settings(url));
    const reader = answer.body!.getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toBe('data: 1\n\n');
    send!('data: 2\n\n');
    expect(await read()).toBe('data: 2\n\n');
    expect(answer.headers.get('cache-control')).toContain('no-transform');
    await reader.cancel();
  });

  it('closes the call at the API when the page goes away', async () => {
    let closed!: () => void;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await api((_incoming, response) => {
      response.on('close', closed);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const page = new AbortController();
    const answer = await relay(request('POST', { body: '{}', signal: page.signal }), ['try'], settings(url));
    await answer.body!.getReader().read();
    page.abort();
    await isClosed;
  });
});
