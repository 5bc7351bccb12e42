import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Cleanups, httpKit, listenHttp, listenTcp, textOf } from '../../../../../test/stubs/http-kit.js';
import { type HttpStub, startHttpStub } from '../../../../../test/stubs/start-http-stub.js';

const cleanups = new Cleanups();
let stub: HttpStub;

beforeAll(async () => {
  stub = await startHttpStub();
});
beforeEach(() => stub.reset());
afterEach(() => cleanups.run());
afterAll(() => stub.stop());

describe('a backend', () => {
  it('that hangs is left at the time limit, which the error names', async () => {
    const { call } = httpKit(cleanups);
    const outcome = await call({ url: `${stub.url}/slow?ms=20000` }, {}, { timeoutMs: 60 });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/"probe" stopped at its time limit.*60 ms/);
    await expect.poll(async () => (await stub.log())[0]?.aborted, { timeout: 10_000 }).toBe(true);
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

  it('that redirects inwards is not followed (HTT-02)', async () => {
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
