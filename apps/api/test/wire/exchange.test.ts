import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectSoundFrames } from '@gantry/mcp-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModernClient } from './clients.js';

const server = createServer((request, response) => {
  const unsound = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [] } });
  const streaming = request.url?.endsWith('/stream');
  response.setHeader('content-type', streaming ? 'text/event-stream' : 'application/json');
  response.end(streaming ? `data: ${unsound}\n\n` : unsound);
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp/acme`;
});
afterAll(() => server.close());

describe('an answer of an MCP endpoint', () => {
  it.each(['json', 'stream'])('that its revision does not allow fails the test that got it, as %s', async (form) => {
    const answer = await new ModernClient(`${url}/${form}`, 'key').ask('tools/list');
    await answer.result();
    expect(expectSoundFrames).toThrow("must have required property 'resultType'");
  });
});
