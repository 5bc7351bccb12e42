// @modelcontextprotocol/sdk 1.x: a session per client, answers by SSE.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { arg, TOOLS } from './tools.mjs';

const transports = new Map();

function makeServer() {
  const server = new McpServer({ name: 'sdk1', version: '0.0.0' }, { capabilities: { tools: { listChanged: true } } });
  for (const { name, description, shape, run } of TOOLS) {
    server.registerTool(name, { description, inputSchema: shape }, (args, { _meta, sendNotification }) =>
      run(args, (progress, total) => {
        const params = { progressToken: _meta?.progressToken, progress, total };
        return sendNotification({ method: 'notifications/progress', params });
      }),
    );
  }
  return server;
}

async function handle(request, response) {
  const id = request.headers['mcp-session-id'];
  const known = id === undefined ? undefined : transports.get(id);
  if (known !== undefined) return known.handleRequest(request, response);
  if (id !== undefined) return response.writeHead(404, { 'content-length': 0 }).end();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => transports.set(session, transport),
  });
  transport.onclose = () => transports.delete(transport.sessionId);
  await makeServer().connect(transport);
  return transport.handleRequest(request, response);
}

http
  .createServer((request, response) => {
    handle(request, response).catch(() => response.headersSent || response.writeHead(500).end());
  })
  .listen(Number(arg('port')), '127.0.0.1', 4096);
