import { beforeAll, describe, expect, it } from 'vitest';
import { ModernClient, SessionClient, textOf } from './clients.js';
import { type Answer, ask } from './exchange.js';
import { useWorld } from './world.js';

const CONSOLE = 'https://console.example';
const origin = { origin: CONSOLE };
const world = useWorld({ env: { ADMIN_URL: `${CONSOLE}/any/path` } });
let token: string;
beforeAll(async () => {
  const { gantry } = world;
  const opened = await gantry.admin('POST', '/tenants/acme/servers/kinds/playground-token');
  token = opened.body.token;
  expect(opened.body.endpoint).toBe(world.url);
});

/** Whether a page of the console may read the answer, with all that the protocol needs of it. */
function expectReadable(answer: Answer): void {
  expect(answer.headers['access-control-allow-origin']).toBe(CONSOLE);
  const exposed = String(answer.headers['access-control-expose-headers'])
    .toLowerCase()
    .split(/\s*,\s*/);
  expect(exposed).toEqual(expect.arrayContaining(['mcp-session-id', 'www-authenticate']));
  expect(String(answer.headers.vary).toLowerCase()).toContain('origin');
}

describe("a page of the console's origin", () => {
  it('may send every header of the protocol, on every method (SEC-02)', async () => {
    const asked = [
      ...['authorization', 'content-type', 'accept', 'last-event-id', 'mcp-protocol-version', 'mcp-session-id'],
      ...['mcp-method', 'mcp-name', 'mcp-param-region'],
    ];
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await ask(world.url, {
        method: 'OPTIONS',
        headers: {
          ...origin,
          'access-control-request-method': method,
          'access-control-request-headers': asked.join(','),
        },
      });
      expect([method, answer.status]).toEqual([method, 204]);
      expectReadable(answer);
      expect(answer.headers['access-control-allow-methods']?.split(', ')).toContain(method);
      const allowed = answer.headers['access-control-allow-headers']?.toLowerCase().split(/\s*,\s*/);
      expect(allowed).toEqual(expect.arrayContaining(asked));
    }
  });

  it('works without a session: results, progress and change streams (SEC-01)', async () => {
    const client = new ModernClient(world.url, token);
    const called = await client.call('policy', { team: 'console' }, { headers: origin });
    expectReadable(called);
    expect(textOf(await called.result())).toBe('Rules of console.');
    const streamed = await client.call('steps', { n: 2 }, { headers: origin, meta: { progressToken: 1 } });
    expect(streamed.streaming).toBe(true);
    expectReadable(streamed);
    expect(textOf(await streamed.result())).toBe('stepped');
    const listening = await client.listen(undefined, { headers: origin });
    expect(listening.streaming).toBe(true);
    expectReadable(listening);
    listening.destroy();
  });

  it('works with a session, whose id it can read (SEC-01)', async () => {
    const session = new SessionClient(world.url, token);
    const opened = await session.initialize(origin);
    expectReadable(opened);
    session.sessionId = String(opened.headers['mcp-session-id']);
    expect(session.sessionId).not.toBe('undefined');
    const ready = await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, origin);
    expect(ready.status).toBe(202);
    expectReadable(ready);
    const listed = await session.post({ jsonrpc: '2.0', id: 5, method: 'tools/list' }, origin);
    expectReadable(listed);
    expect((await listed.result()).result.tools.length).toBeGreaterThan(0);
    const headers = { ...session.headers, ...origin, 'content-type': undefined };
    const stream = await ask(world.url, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    expect([stream.status, stream.streaming]).toEqual([200, true]);
    expectReadable(stream);
    stream.destroy();
    const ended = await ask(world.url, { method: 'DELETE', headers });
    expect(ended.status).toBe(204);
    expectReadable(ended);
  });

  it('can read why it is refused (SEC-01)', async () => {
    const client = new ModernClient(world.url, token);
    const cases: [number, Promise<Answer>][] = [
      [404, client.ask('nope', {}, { headers: origin })],
      [400, client.ask('tools/list', {}, { headers: { ...origin, 'mcp-method': 'tools/call' } })],
      [401, new ModernClient(world.url, `${token}x`).ask('tools/list', {}, { headers: origin })],
      [404, new ModernClient(world.gantry.mcpUrl('acme', 'gone'), token).ask('tools/list', {}, { headers: origin })],
      [405, ask(world.url, { method: 'PUT', headers: origin })],
      [406, client.ask('tools/list', {}, { headers: { ...origin, accept: 'text/html' } })],
      [413, client.call('policy', { team: 'x'.repeat(5_000_000) }, { headers: origin })],
      [415, client.ask('tools/list', {}, { headers: { ...origin, 'content-type': 'text/plain' } })],
    ];
    for (const [status, sent] of cases) {
      const answer = await sent;
      expect(answer.status).toBe(status);
      expectReadable(answer);
      expect((await answer.result()).error.message).not.toBe('');
    }
  });

  it('is granted what no other page is', async () => {
    for (const other of ['https://console.example.evil.test', 'http://console.example', 'null']) {
      const headers = { origin: other };
      const called = await new ModernClient(world.url, token).call('policy', { team: 'x' }, { headers });
      const unknown = await ask(world.gantry.mcpUrl('acme', 'gone'), { headers, body: '{}' });
      expect([called.status, unknown.status]).toEqual([403, 404]);
      for (const answer of [called, unknown]) expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
