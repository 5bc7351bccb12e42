import { describe, expect, it } from 'vitest';
import { faultOfMessage, type SchemaRevision } from './frame-schema.js';
import { expectSoundFrames, FrameWatch } from './frame-watch.js';
import type { Json } from './json.js';

const rpc = { jsonrpc: '2.0' };
const answer = (result: Json, id: Json = 1) => ({ ...rpc, id, result });
const error = (code: number, data?: Json, id: Json = 1) => ({ ...rpc, id, error: { code, message: 'no', data } });
const text = { type: 'text', text: 'x' };

/** What is said of a message when `method` was asked under the id 1. */
function judged(revision: SchemaRevision, message: Json, method = 'tools/call') {
  return faultOfMessage(message, revision, (id) => (id === 1 ? [method] : []));
}

describe('a message is sound when it is', () => {
  it.each<[SchemaRevision, string, Json]>([
    ['2025-03-26', 'tools/call', answer({ content: [text] })],
    ['2025-03-26', 'ping', [answer({}), error(-32601)]],
    ['2025-06-18', 'ping', answer({})],
    ['2025-11-25', 'tools/list', answer({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] })],
    [
      '2025-11-25',
      'ping',
      {
        ...rpc,
        id: 7,
        method: 'elicitation/create',
        params: { message: 'x', requestedSchema: { type: 'object', properties: {} } },
      },
    ],
    ['2025-06-18', 'ping', { ...rpc, method: 'notifications/progress', params: { progressToken: 0, progress: 1 } }],
    ['2025-06-18', 'tools/call', { ...rpc, error: { code: -32700, message: 'no' } }],
    ['2025-06-18', 'tools/call', error(4711, { any: 'thing' })],
    ['2026-07-28', 'tools/call', answer({ resultType: 'complete', content: [text] })],
    ['2026-07-28', 'tools/call', answer({ resultType: 'input_required', requestState: 's' })],
    ['2026-07-28', 'tools/call', error(-32022, { supported: ['2026-07-28'], requested: 'x' })],
  ])('%s: the answer to %s', (revision, method, message) => {
    expect(judged(revision, message, method)).toBeUndefined();
  });
});

describe('a message is unsound when it has', () => {
  it.each<[string, SchemaRevision, Json, string?]>([
    ['no version of JSON-RPC', '2025-11-25', { id: 1, result: {} }],
    ['a result off its schema', '2025-11-25', answer({ content: 'text' })],
    [
      'content of a later revision',
      '2025-03-26',
      answer({ content: [{ type: 'resource_link', uri: 'a:b', name: 'c' }] }),
    ],
    ['the result of another method', '2025-11-25', answer({ content: [] }), 'tools/list'],
    ['more than an empty result', '2025-11-25', answer({ _meta: {} }), 'ping'],
    ['an id that nobody asked under', '2025-11-25', answer({ content: [] }, 2)],
    ['an id of the other type', '2025-11-25', answer({ content: [] }, '1')],
    ['an error for an id that nobody asked under', '2025-11-25', error(-32601, undefined, 2)],
    ['a code that is no integer', '2025-11-25', error(1.5)],
    ['a result and an error', '2025-11-25', { ...error(1), result: {} }],
    ['a result for a method the revision lacks', '2025-11-25', answer({}), 'server/discover'],
    [
      'a notification the revision lacks',
      '2026-07-28',
      { ...rpc, method: 'notifications/elicitation/complete', params: { elicitationId: 'x' } },
    ],
    ['a notification off its schema', '2025-11-25', { ...rpc, method: 'notifications/progress', params: {} }],
    ['a question where there is none', '2026-07-28', { ...rpc, id: 1, method: 'roots/list' }],
    ['a question of a later revision', '2025-03-26', { ...rpc, id: 1, method: 'elicitation/create', params: {} }],
    ['a batch of answers', '2025-06-18', [answer({ content: [] })]],
    ['an empty batch', '2025-03-26', []],
    ['no resultType', '2026-07-28', answer({ content: [] })],
    ['an unknown resultType', '2026-07-28', answer({ resultType: 'done', content: [] })],
    ['questions of a method that has none', '2026-07-28', answer({ resultType: 'input_required' }), 'tools/list'],
    [
      'questions of no known kind',
      '2026-07-28',
      answer({ resultType: 'input_required', inputRequests: { a: { method: 'x' } } }),
    ],
    ['lists that may not be cached', '2026-07-28', answer({ resultType: 'complete', tools: [] }), 'tools/list'],
    ['an unsupported version and not which are', '2026-07-28', error(-32022)],
  ])('%s', (_, revision, message, method) => {
    expect(judged(revision, message, method)).toEqual(expect.any(String));
  });
});

describe('a watched answer', () => {
  const headers = { 'mcp-session-id': 'watched', 'mcp-protocol-version': '2025-11-25' };
  const post = (message: Json) => new FrameWatch({ headers, body: JSON.stringify(message) });

  it('is judged by the revision that was agreed on, on whatever stream of the session it comes', () => {
    const opening = new FrameWatch({ headers: {}, body: JSON.stringify({ ...rpc, id: 1, method: 'initialize' }) });
    const agreed = { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 'a', version: '1' } };
    opening.see(answer(agreed), 'watched');
    post({ ...rpc, id: 2, method: 'tools/call' });
    const elsewhere = new FrameWatch({ headers });
    elsewhere.see(answer({ content: [text] }, 2));
    expectSoundFrames();
    elsewhere.see(answer({ content: [{ type: 'resource_link', uri: 'a:b', name: 'c' }] }, 2));
    expect(expectSoundFrames).toThrow('not a CallToolResult of 2025-03-26');
  });

  it('is reported once, with the message', () => {
    post({ ...rpc, id: 3, method: 'ping' }).see(answer({ odd: true }, 3));
    expect(expectSoundFrames).toThrow(/the empty result of ping is not empty\n {2}in .*"odd":true/);
    expect(expectSoundFrames).not.toThrow();
  });
});
