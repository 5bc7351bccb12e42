import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureRunner, fixtureSettings, fixtureSnapshot } from '../../testing/fixture-server.js';
import { reachableBytes } from '../../testing/heap.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import type { FrameStream, HttpResponder } from '../http-exchange.js';

const CALLS = 50_000;
const SESSIONS = 5_000;
/** What the heap may differ by when nothing is kept. */
const NOISE = 0.05;
const TIMEOUT_MS = 300_000;

const accept = 'application/json, text/event-stream';
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Keeps nothing of what it is told but the last status and session, so that what stays is the endpoint's. */
class ForgetfulResponder implements HttpResponder {
  status = 0;
  session: string | undefined;
  gone: (() => void) | undefined;

  json(status: number, _body: string, headers?: Readonly<Record<string, string>>): void {
    this.status = status;
    this.session = headers?.['mcp-session-id'];
  }

  empty(status: number): void {
    this.status = status;
  }

  stream(): FrameStream {
    this.status = 200;
    return { write: () => true, queuedBytes: 0, end() {} };
  }

  onDisconnect(fn: () => void): void {
    this.gone = fn;
  }
}

function setUp() {
  const clock = new FakeClock();
  const endpoint = createMcpEndpoint({ clock });
  const snapshot = fixtureSnapshot(undefined, { maxSessions: 2 * SESSIONS });
  const principal = { kind: 'key', id: 'k', scopes: [] };
  const host = { server: 'heap', snapshot, owner: 'k', principal, runner: fixtureRunner };
  const send = async (method: string, headers: Record<string, string>, message?: object) => {
    const responder = new ForgetfulResponder();
    const body = message === undefined ? undefined : Buffer.from(JSON.stringify(message));
    const all = { accept, 'content-type': 'application/json', ...headers };
    await endpoint.handle({ method, headers: all, body }, responder, host);
    return responder;
  };
  const open = async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'heap', version: '1' } };
    const { session } = await send('POST', {}, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    return session as string;
  };
  const callModern = (id: number) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' };
    const params = { name: 'add', arguments: { a: id, b: 1 }, _meta: modernMeta };
    return send('POST', headers, { jsonrpc: '2.0', id, method: 'tools/call', params });
  };
  const callIn = (session: string, id: number) => {
    const params = { name: 'add', arguments: { a: id, b: 1 } };
    return send('POST', { 'mcp-session-id': session }, { jsonrpc: '2.0', id, method: 'tools/call', params });
  };
  return { clock, endpoint, send, open, callModern, callIn };
}

async function growth(warm: () => Promise<void>, work: () => Promise<void>): Promise<number> {
  await warm();
  const before = await reachableBytes();
  await work();
  return (await reachableBytes()) / before - 1;
}

describe('the heap', () => {
  it(
    `is where it was after ${CALLS} calls, stateless and in one session (MEM-02)`,
    async () => {
      const { open, callModern, callIn } = setUp();
      const session = await open();
      const calls = async (count: number) => {
        for (let id = 1; id <= count / 2; id++) {
          await callModern(id);
          await callIn(session, id);
        }
      };
      const grown = await growth(
        () => calls(CALLS / 10),
        () => calls(CALLS),
      );
      expect(grown).toBeLessThan(NOISE);
    },
    TIMEOUT_MS,
  );

  it(
    `is where it was when ${SESSIONS} sessions were opened, left with their streams, and their time has passed (MEM-01)`,
    async () => {
      const { clock, endpoint, send, open } = setUp();
      const abandon = async (count: number) => {
        for (let at = 0; at < count; at++) {
          const session = await open();
          const stream = await send('GET', { 'mcp-session-id': session });
          expect(stream.status).toBe(200);
          stream.gone?.();
        }
        expect((await sessionsOf(endpoint, 'heap')).length).toBe(count);
        for (let quarter = 1; quarter <= 8; quarter++) {
          clock.advance(fixtureSettings.sessionTtlMs / 4);
          // Who looks after a session looks again only when it has heard from the store.
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(await sessionsOf(endpoint, 'heap')).toEqual([]);
      };
      const grown = await growth(
        () => abandon(SESSIONS / 10),
        () => abandon(SESSIONS),
      );
      expect(grown).toBeLessThan(NOISE);
      expect(clock.pending).toBe(0);
    },
    TIMEOUT_MS,
  );
});
