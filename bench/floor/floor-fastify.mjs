// Bare Fastify 5 with a hand-written MCP endpoint: no key, no validation, no limits. The floor that ratios are taken to.
import Fastify from 'fastify';
import { frame, handle, SSE_HEADERS, streams } from './lib/handmade.mjs';
import { arg } from './lib/tools.mjs';

const app = Fastify({ logger: false, bodyLimit: 4 << 20 });
app.post('/mcp', (req, reply) => {
  const r = handle(req.body);
  if (r.stream) {
    reply.hijack();
    reply.raw.writeHead(200, SSE_HEADERS);
    r.stream((m) => reply.raw.write(frame(m))).then(() => reply.raw.end());
    return;
  }
  if (r.sessionId) reply.header('mcp-session-id', r.sessionId);
  reply.code(r.status).send(r.body);
});
app.get('/mcp', (req, reply) => {
  const id = req.headers['mcp-session-id'];
  reply.hijack();
  streams.set(id, reply.raw);
  reply.raw.on('close', () => streams.delete(id));
  reply.raw.writeHead(200, SSE_HEADERS);
  reply.raw.flushHeaders();
});
app.delete('/mcp', (_req, reply) => reply.code(200).send());
await app.listen({ port: Number(arg('port', 4002)), host: '127.0.0.1', backlog: 4096 });
