import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { fixtureSnapshot } from '../../testing/fixture-server.js';
import type { RecordingResponder } from '../../testing/recording-responder.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const method = fc.constantFrom(
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'server/discover',
  'logging/setLevel',
  'nope',
);
const version = fc.constantFrom('2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '2099-01-01', 'x');
const meta = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.oneof(version, fc.jsonValue()),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), fc.jsonValue()),
    progressToken: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const params = fc.record(
  {
    name: fc.oneof(fc.constantFrom('add', 'boom', 'crash', 'structured', 'progress'), fc.jsonValue()),
    arguments: fc.oneof(fc.constant({ a: 1, b: 2 }), fc.jsonValue()),
    cursor: fc.jsonValue(),
    protocolVersion: fc.oneof(version, fc.jsonValue()),
    _meta: fc.oneof(meta, fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method,
    params,
  },
  { requiredKeys: ['jsonrpc'] },
);
const body = fc.oneof(
  message.map((value) => Buffer.from(JSON.stringify(value))),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
);
const header = (...values: string[]) =>
  fc.oneof(
    fc.constantFrom(...values),
    fc.string({ maxLength: 12 }),
    fc.array(fc.constantFrom(...values), { minLength: 2, maxLength: 2 }),
  );
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain'),
    accept: header('application/json', 'text/event-stream', '*/*', 'text/html'),
    'mcp-protocol-version': fc.oneof(version, header('2026-07-28')),
    'mcp-method': fc.oneof(method, header('tools/call')),
    'mcp-name': header('add', '=?base64?YWRk?='),
    'mcp-session-id': fc.oneof(fc.constant('$'), header('x')),
    'last-event-id': header('x.1'),
  },
  { requiredKeys: [] },
);

/** Non-2xx answers have no body or a JSON-RPC error, 202 and 204 have none, and streams hold whole messages. */
function expectSound(answer: RecordingResponder): void {
  const { status = 0, message: answered, streaming } = answer;
  expect(status).toBeGreaterThanOrEqual(200);
  if (streaming) {
    for (const each of answer.messages) expect(each.jsonrpc).toBe('2.0');
    return;
  }
  if (answered === undefined) return;
  expect(answered.jsonrpc).toBe('2.0');
  if (status !== 200) expect([status, Number.isInteger(answered.error?.code)]).toEqual([status, true]);
  expect(status).not.toBe(500);
}

/** `npm run test:long` asks many more. */
const LONG = process.env.GANTRY_TEST_LONG === '1';

describe('any request at all', () => {
  it(
    'is answered once, soundly, and leaves the endpoint able to answer the next one',
    async () => {
      const client = new ScriptedClient(createMcpEndpoint(), {
        snapshot: fixtureSnapshot(undefined, { maxSessions: 5 }),
      });
      await client.open();
      const verb = fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'PUT');
      await fc.assert(
        fc.asyncProperty(verb, headers, body, async (name, sent, bytes) => {
          const session = sent['mcp-session-id'] === '$' ? client.sessionId : sent['mcp-session-id'];
          const answer = client.raw(name, { ...sent, 'mcp-session-id': session }, name === 'POST' ? bytes : undefined);
          await answer.until(() => answer.done || answer.streaming);
          expectSound(answer);
          answer.disconnect();
        }),
        { numRuns: LONG ? 20_000 : 500 },
      );
      expect(client.modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }).status).toBe(200);
    },
    LONG ? 300_000 : 20_000,
  );
});
