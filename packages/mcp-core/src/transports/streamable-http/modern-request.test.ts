import { describe, expect, it } from 'vitest';
import type { JsonRpcRequest } from '../../jsonrpc/messages.js';
import { climb, isFault } from '../../wire/rev-2026-07-28/ladder.js';
import { headerMismatch, readHeaderRules } from '../../wire/rev-2026-07-28/param-headers.js';
import { type ModernRequest, modernRequest } from './modern-request.js';

const client = { name: 'console', version: '1' };
const base = { id: 'x', client };

function made(request: Omit<ModernRequest, 'id' | 'client'>) {
  const { headers, body } = modernRequest({ ...base, ...request });
  return { headers, message: JSON.parse(String(body)) as JsonRpcRequest & { params: Record<string, never> } };
}

describe('modernRequest', () => {
  it('says who asks for what, and nothing that was not asked for', () => {
    const { headers, message } = made({ method: 'tools/list', params: {} });
    expect(headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    });
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': client,
        },
      },
    });
  });

  it.each([
    ['tools/call', { name: 'greet', arguments: {} }],
    ['tools/call', { name: '=?base64?Z3JlZXQ=?=' }],
    ['prompts/get', { name: 'grüße alle ☃' }],
    ['prompts/get', { name: ' spaced ' }],
    ['resources/read', { uri: 'docs://ü/%20?q=1#a' }],
    ['tasks/get', { taskId: 't-1' }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' } }],
  ])('passes the checks that any client has to pass: %s %j', (method, params) => {
    const { headers, message } = made({ method, params, capabilities: { roots: {} }, logLevel: 'debug' });
    const envelope = climb(message, headers);
    if (isFault(envelope)) throw new Error(envelope.message);
    expect(envelope).toMatchObject({ capabilities: { roots: {} }, clientInfo: client, logLevel: 'debug' });
  });

  it('repeats the arguments that the tool wants repeated', () => {
    const inputSchema = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, other: { type: 'string' } },
    };
    const args = { region: 'eu ü', other: 'x' };
    const { headers } = made({ method: 'tools/call', params: { name: 'a', arguments: args }, inputSchema });
    expect(headers['mcp-param-region']).toBe('=?base64?ZXUgw7w=?=');
    expect(headerMismatch(readHeaderRules(inputSchema).rules, headers, args)).toBeUndefined();
  });

  it('answers what an earlier round asked, beside the same params', () => {
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    const { message } = made({
      method: 'prompts/get',
      params: { name: 'greet', arguments: { a: 'b' } },
      inputResponses,
      requestState: 'sealed',
      progressToken: 7,
    });
    expect(message.params).toMatchObject({
      name: 'greet',
      arguments: { a: 'b' },
      inputResponses,
      requestState: 'sealed',
      _meta: { progressToken: 7 },
    });
  });
});
