import { createServer } from 'node:http';
import { createMcpEndpoint } from '@gantry/mcp-core';

const MAX_BODY = 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const OWN_NAMES = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Serves an `McpServer` on loopback, to programs of this machine alone: no browser page, whatever name led it here, may
 * speak to it.
 */
export async function serve(server, port = 0) {
  const endpoint = createMcpEndpoint();
  const principal = { kind: 'developer', id: 'local', scopes: [] };
  const http = createServer(async (request, response) => {
    const refused = refusal(request);
    if (refused !== undefined) return response.writeHead(403).end(refused);
    const body = await bodyOf(request);
    if (body === undefined) return response.writeHead(413, { connection: 'close' }).end('The body is too large');
    const { method, headers } = request;
    await endpoint.handle({ method, headers, body }, responderOf(response), {
      ...server.hosted,
      owner: 'local',
      principal,
    });
  });
  await new Promise((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${http.address().port}/mcp`),
    async close() {
      await endpoint.close({ graceMs: 1_000 });
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function refusal({ socket, headers }) {
  if (!LOOPBACK.has(socket.remoteAddress)) return 'Only programs of this machine may come here';
  if (headers.origin !== undefined) return 'Pages of a browser may not come here';
  return OWN_NAMES.test(headers.host ?? '') ? undefined : 'This server goes by the name of localhost only';
}

async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function responderOf(response) {
  return {
    json: (status, body, headers) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
    empty: (status, headers) => response.writeHead(status, headers).end(),
    stream: (headers) => {
      response.writeHead(200, headers).flushHeaders();
      return {
        write: (frame) => response.write(frame),
        get queuedBytes() {
          return response.writableLength;
        },
        end: () => response.end(),
        cut: () => response.destroy(),
      };
    },
    onDisconnect: (fn) => response.on('close', () => response.writableFinished || fn()),
  };
}
