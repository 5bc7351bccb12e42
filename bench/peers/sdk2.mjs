// @modelcontextprotocol/server 2.x: --mode stateless (2026-07-28, a request stands alone) | sessions (2025, JSON answers).
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { arg, TOOLS, z } from './tools.mjs';

const shapes = new Map(TOOLS.map(({ name, shape }) => [name, z.object(shape)]));
const transports = new Map();

function makeServer() {
  const server = new McpServer({ name: 'sdk2', version: '0.0.0' }, { capabilities: { tools: { listChanged: true } } });
  for (const { name, description, run } of TOOLS) {
    server.registerTool(name, { description, inputSchema: shapes.get(name) }, (args, { mcpReq }) =>
      run(args, (progress, total) => {
        const params = { progressToken: mcpReq._meta?.progressToken, progress, total };
        return mcpReq.notify({ method: 'notifications/progress', params });
      }),
    );
  }
  return server;
}

async function inSession(request, response) {
  const id = request.headers['mcp-session-id'];
  const known = id === undefined ? undefined : transports.get(id);
  if (known !== undefined) return known.handleRequest(request, response);
  if (id !== undefined) return response.writeHead(404, { 'content-length': 0 }).end();
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (session) => void transports.set(session, transport),
    onsessionclosed: (session) => void transports.delete(session),
  });
  await makeServer().connect(transport);
  return transport.handleRequest(request, response);
}

const handle = arg('mode') === 'sessions' ? inSession : toNodeHandler(createMcpHandler(makeServer));
http
  .createServer((request, response) => {
    handle(request, response).catch(() => response.headersSent || response.writeHead(500).end());
  })
  .listen(Number(arg('port')), '127.0.0.1', 4096);
