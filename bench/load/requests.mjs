// The bytes of requests to one MCP endpoint.
import { config, MODERN } from './config.mjs';

const url = new URL(config.url);
const ACCEPT = 'application/json, text/event-stream';
const extra = Object.entries(config.headers ?? {})
  .map(([k, v]) => `${k}: ${v}\r\n`)
  .join('');
const META = MODERN
  ? {
      'io.modelcontextprotocol/protocolVersion': config.era,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
  : undefined;
/** Stands for the id in what is sent. */
export const IDMARK = 7777777777;

/** A template: (id) => the request's bytes. The id has a fixed width, so the length is fixed too. */
export function template(session, method, params, { notify = false, verb = 'POST', init = false } = {}) {
  let headers = `${verb} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: ${verb === 'GET' ? 'text/event-stream' : ACCEPT}\r\n${extra}`;
  if (session) headers += `Mcp-Session-Id: ${session}\r\n`;
  if (!init) headers += `MCP-Protocol-Version: ${config.era}\r\n`;
  if (MODERN && verb === 'POST') {
    headers += `Mcp-Method: ${method}\r\n`;
    if (params?.name && method === 'tools/call') headers += `Mcp-Name: ${params.name}\r\n`;
    params = { ...params, _meta: { ...META, ...params?._meta } };
  }
  if (verb !== 'POST') return () => `${headers}\r\n`;
  const m = { jsonrpc: '2.0', ...(notify ? {} : { id: IDMARK }), method, ...(params ? { params } : {}) };
  const body = JSON.stringify(m); // ASCII only
  const full = `${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  if (notify) return () => full;
  const parts = full.split(String(IDMARK));
  const many = parts.length > 2;
  return many ? (id) => parts.join(id) : (id) => parts[0] + id + parts[1];
}

let nextId = 1000000000;
/** Ids of a fixed width, as the bytes are cut for. */
export const newId = () => nextId++;

export const send = (conn, tpl) =>
  new Promise((resolve) => conn.send(tpl(newId()), (status, head, body) => resolve({ status, head, body })));

export const call = (session, name, args, meta) =>
  template(session, 'tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) });

/** Gives the session's id, if the server and the era know one. */
export async function openSession(conn) {
  if (MODERN) return undefined;
  const clientInfo = { name: 'bench', version: '1.0.0' };
  const hello = { protocolVersion: config.era, capabilities: {}, clientInfo };
  const opened = await send(conn, template(undefined, 'initialize', hello, { init: true }));
  if (opened.status !== 200) {
    throw new Error(`initialize: ${opened.status} ${opened.body.toString().slice(0, 300)}`);
  }
  // From the head as it came: an id may hold capitals.
  const session = /\r\nmcp-session-id: ([^\r]+)/i.exec(conn.head)?.[1];
  const told = await send(conn, template(session, 'notifications/initialized', undefined, { notify: true }));
  if (told.status !== 202 && told.status !== 200) throw new Error(`initialized: ${told.status}`);
  return session;
}
