// A session of 2025-11-25 as a client holds it, over fetch; what measurements of several nodes need and no more.
const REVISION = '2025-11-25';

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Opens a session at a node. Gives the headers of its requests, which any node serves. */
export async function openSession({ url, headers }) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...ACCEPT },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
    }),
  });
  await answer.text();
  const id = answer.headers.get('mcp-session-id');
  if (id === null) throw new Error(`initialize: ${answer.status}`);
  return { ...headers, ...ACCEPT, 'mcp-session-id': id, 'mcp-protocol-version': REVISION };
}

/** One request; the text of its answer. */
export async function ask({ url }, session, id, method, params) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: session,
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method}: ${answer.status} ${text.slice(0, 200)}`);
  return text;
}

/** Begins a call and gives the id of its stream's first event; the connection is dropped, the call goes on. */
export async function beginAndLeave({ url }, session, args) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: session,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: Math.floor(Math.random() * 1e9),
      method: 'tools/call',
      params: { name: 'progress', arguments: args, _meta: { progressToken: 't' } },
    }),
  });
  let text = '';
  for await (const chunk of answer.body) {
    text += Buffer.from(chunk).toString();
    const id = /^id: (\S+)$/m.exec(text)?.[1];
    // Leaving the loop closes the connection.
    if (id !== undefined) return id;
  }
  throw new Error(`no event id came: ${text.slice(0, 200)}`);
}
