// The least an MCP endpoint can do: JSON.parse, one switch, JSON.stringify. No validation. The floor, not a product.
import { randomUUID } from 'node:crypto';
import { JSON_TOOLS, text, turn } from './tools.mjs';

export const streams = new Map(); // session id -> ServerResponse of its GET stream

const SERVER_INFO = { name: 'floor', version: '0.0.0' };

/** Returns {status, sessionId?, body?} or a promise of it, or {stream: async (write) => …} for SSE. */
export function handle(m) {
  const reply = (result) => ({ status: 200, body: { jsonrpc: '2.0', id: m.id, result } });
  switch (m.method) {
    case 'initialize': {
      const r = reply({
        protocolVersion: m.params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: SERVER_INFO,
      });
      r.sessionId = randomUUID();
      return r;
    }
    case 'notifications/initialized':
      return { status: 202 };
    case 'tools/list':
      return reply({ tools: JSON_TOOLS });
    case 'tools/call': {
      const a = m.params.arguments;
      switch (m.params.name) {
        case 'echo':
          return reply(text(a.msg));
        case 'progress':
          return {
            status: 200,
            stream: async (write) => {
              for (let i = 1; i <= a.n; i++) {
                write({
                  jsonrpc: '2.0',
                  method: 'notifications/progress',
                  params: { progressToken: m.params._meta.progressToken, progress: i, total: a.n },
                });
                await turn();
              }
              write(reply(text('done')).body);
            },
          };
        case 'broadcast': {
          const frame = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`;
          for (const res of streams.values()) res.write(frame);
          return reply(text(String(streams.size)));
        }
      }
    }
  }
  return {
    status: 404,
    body: { jsonrpc: '2.0', id: m.id ?? null, error: { code: -32601, message: 'Method not found' } },
  };
}

export const frame = (m) => `event: message\ndata: ${JSON.stringify(m)}\n\n`;
export const SSE_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
