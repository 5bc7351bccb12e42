import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { fixtureSnapshot } from '../../testing/fixture-server.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const client = () => new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot() });
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('HTTP negotiation', () => {
  it('serves every Accept that admits an answer and refuses the rest with a JSON-RPC body (HTTP-02)', () => {
    const served = [
      undefined,
      '*/*',
      'application/*, text/*',
      'text/event-stream, application/json',
      'application/json;q=0.9, text/event-stream;q=0.1',
      'APPLICATION/JSON',
      'application/json',
      ['application/json', 'text/event-stream'],
    ];
    for (const accept of served) {
      const answer = client().modern('tools/list', {}, { headers: { accept } });
      expect([accept, answer.status, answer.streaming]).toEqual([accept, 200, false]);
    }
    for (const accept of ['text/html', 'image/*', 'application/json;q=0, text/event-stream;q=0.0', '']) {
      const answer = client().modern('tools/list', {}, { headers: { accept } });
      expect([accept, answer.status, answer.message.error.code]).toEqual([accept, 406, -32600]);
    }
  });

  it('wants application/json, whatever its parameters and letter case (HTTP-03)', () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=UTF-8']) {
      expect(client().modern('tools/list', {}, { headers: { 'content-type': type } }).status).toBe(200);
    }
    for (const type of [
      undefined,
      'text/plain',
      'application/jsonp',
      'text/application/json',
      'application/json-patch+json',
    ]) {
      const answer = client().modern('tools/list', {}, { headers: { 'content-type': type } });
      expect([type, answer.status, answer.message.error.code]).toEqual([type, 415, -32600]);
    }
  });

  it('answers what is no JSON 400 -32700 without id (HTTP-04, seed A1)', () => {
    const bodies = ['{"jsonrpc":', '', undefined, Buffer.from([0x7b, 0x22, 0x97, 0x22, 0x7d])];
    for (const body of bodies) {
      const answer = client().raw('POST', { 'content-type': 'application/json' }, body);
      expect([answer.status, answer.message.error.code, 'id' in answer.message]).toEqual([400, -32700, false]);
    }
    const marked = client().raw('POST', { 'content-type': 'application/json' }, `\ufeff${ping}`);
    expect(marked.message.error.message).toContain('Mcp-Session-Id');
  });

  it('answers what is no JSON-RPC request 400 -32600 (seed A2, seed A4, seed A5, RPC-02, RPC-06)', () => {
    const bodies = [
      '[]',
      `[${ping}]`,
      '5',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":3.14,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1e3,"method":"ping"}',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
      '{"jsonrpc":"2.0","id":1}',
    ];
    for (const body of bodies) {
      const answer = client().raw('POST', { 'content-type': 'application/json' }, body);
      expect([body, answer.status, answer.message.error.code]).toEqual([body, 400, -32600]);
    }
  });

  it('answers other methods 405, naming those it serves', () => {
    for (const method of ['PUT', 'PATCH', 'HEAD']) {
      const answer = client().raw(method, {});
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, GET, DELETE']);
    }
  });

  it('answers GET and DELETE without a session 400, whatever they accept (HTTP-01)', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await client().raw(method, { accept: 'text/html', 'content-type': 'application/json' }).finished();
      expect([answer.status, answer.message.error.code]).toEqual([400, -32600]);
    }
  });

  it('judges no header of 2026-07-28 on session traffic', async () => {
    const c = client();
    await c.open();
    const headers = { 'mcp-method': 'other', 'mcp-name': 'other', 'mcp-param-x': 'y' };
    expect(c.request('ping', {}, { headers }).message.result).toEqual({});
  });

  it('answers 503 with a JSON-RPC body that gives nothing away when the session store is away', async () => {
    const broken = { touch: () => Promise.reject(new Error('redis://secret')) };
    const endpoint = createMcpEndpoint({ sessionStore: broken as never, sessionTurns: {} as never });
    const c = new ScriptedClient(endpoint, { snapshot: fixtureSnapshot() });
    c.sessionId = 'x';
    const answer = await c.request('ping').finished();
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(answer.message.error).toEqual({ code: -32603, message: 'Temporarily unavailable; try again' });
  });

  it('turns a fault of its own into 500 with a JSON-RPC body that gives nothing away', () => {
    const broken = {
      touch: () => {
        throw new Error('redis://secret');
      },
    };
    const c = new ScriptedClient(createMcpEndpoint({ sessionStore: broken as never, sessionTurns: {} as never }), {
      snapshot: fixtureSnapshot(),
    });
    c.sessionId = 'x';
    const answer = c.request('ping');
    expect([answer.status, answer.message.error]).toEqual([500, { code: -32603, message: 'Internal error' }]);
  });
});
