import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/lib/processes.mjs';
import { startPinned } from './pinned.mjs';

/** Bare Fastify with a hand-written MCP endpoint: what any answer costs at least. */
export async function startFloor() {
  const port = await freePort();
  const script = fileURLToPath(new URL('../floor/floor-fastify.mjs', import.meta.url));
  const server = await startPinned('fastify', [script, '--port', String(port)], { port, env: {} });
  return { ...server, url: `http://127.0.0.1:${port}/mcp`, headers: {} };
}
