import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostContext } from '../dispatch/host.js';
import type { HttpResponder } from '../transports/http-exchange.js';
import type { McpEndpoint } from '../transports/streamable-http/endpoint.js';
import { FrameWatch } from './frame-watch.js';
import { parseFrames } from './recording-responder.js';

/** An endpoint behind a real socket. */
export interface ServedEndpoint {
  readonly url: URL;
  close(): Promise<void>;
}

/** Serves an endpoint on a free loopback port, with no gate before it: for tests with real clients, whose frames are watched. */
export async function serveOverHttp(endpoint: McpEndpoint, host: () => HostContext): Promise<ServedEndpoint> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const headers = headersOf(request);
    const watch = new FrameWatch({ headers, body: body?.toString() });
    await endpoint.handle({ method: request.method ?? '', headers, body }, responderOf(response, watch), host());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), close: () => closeServer(server) };
}

/** Node joins repeated headers with a comma; here they stay apart. */
function headersOf({ headersDistinct }: IncomingMessage): Record<string, string | string[] | undefined> {
  const headers: Record<string, string | string[] | undefined> = {};
  for (const [name, values] of Object.entries(headersDistinct))
    headers[name] = values?.length === 1 ? values[0] : values;
  return headers;
}

/** What is said on it is judged by the schema of its revision. */
function responderOf(response: ServerResponse, watch: FrameWatch): HttpResponder {
  return {
    json: (status, body, headers) => {
      for (const message of [JSON.parse(body)].flat()) watch.see(message, headers?.['mcp-session-id']);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    },
    empty: (status, headers) => {
      response.writeHead(status, headers);
      response.end();
    },
    stream: (headers) => {
      response.writeHead(200, headers);
      response.flushHeaders();
      return {
        write: (frame) => {
          for (const { data } of parseFrames(frame)) {
            if (data) watch.see(JSON.parse(data), headers?.['mcp-session-id']);
          }
          return response.write(frame);
        },
        get queuedBytes() {
          return response.writableLength;
        },
        end: () => void response.end(),
        cut: () => void response.destroy(),
      };
    },
    onDisconnect: (fn) => {
      response.on('close', () => {
        if (!response.writableFinished) fn();
      });
    },
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
