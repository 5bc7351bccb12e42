import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { fixtureSnapshot } from '../../testing/fixture-server.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const SERVER_INFO = { 'io.modelcontextprotocol/serverInfo': { name: 'fixture', version: '1.0.0', title: 'Fixture' } };

function client() {
  return new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot() });
}

describe('2026-07-28 over HTTP', () => {
  it('answers a tool call with one JSON body within the call', () => {
    const answer = client().modern('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, { id: 'x' });
    expect(answer.status).toBe(200);
    expect(answer.message).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: '3' }],
        isError: false,
        _meta: SERVER_INFO,
      },
    });
  });
});

describe('a session', () => {
  it('opens, lists, calls', async () => {
    const c = client();
    const opened = await c.open();
    expect(opened.message.result.protocolVersion).toBe('2025-11-25');
    expect((await c.request('tools/list').finished()).message.result.tools[0].name).toBe('add');
    expect((await c.call('add', { a: 2, b: 2 }).finished()).message.result.content[0].text).toBe('4');
    const p = await c.call('progress', {}, { progressToken: 0 }).finished();
    expect(p.frames.length).toBe(5);
    expect(p.messages.at(-1).result.content[0].text).toBe('done');
    expect((await c.delete().finished()).status).toBe(204);
    expect((await c.request('ping').finished()).status).toBe(404);
  });
});
