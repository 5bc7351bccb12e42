/**
 * What is measured, in which era, and the ratio to bare Fastify doing the same that must hold. The floor makes no
 * difference between eras beyond what the exchange itself asks of it.
 */
export const CASES = [
  { scenario: 'call', era: '2026-07-28', limit: 2.5, label: 'tools/call of a template tool, 2026-07-28' },
  { scenario: 'call', era: '2025-11-25', limit: 2.5, label: 'tools/call of a template tool, 2025-11-25 session' },
  { scenario: 'list', era: '2026-07-28', limit: 1.1, label: 'tools/list of 21 tools, 2026-07-28' },
  { scenario: 'progress', era: '2026-07-28', limit: 2.5, label: 'tools/call with 10 progress events, 2026-07-28' },
  { scenario: 'lifecycle', era: '2025-11-25', limit: 4, label: 'initialize, initialized, call, DELETE' },
].map((entry) => ({ ...entry, connections: 32 }));

/** The peer that does not deliver a progress event in that era, so that its time would be that of something else. */
const SILENT = new Set(['sdk2-2025 progress', 'mcp-nest-2025 progress']);

/** Whether a server takes part in a case: ours and the floor in every one, a peer in those of its era. */
export function takesPart(server, { scenario, era }) {
  return server.era === undefined || (server.era === era && !SILENT.has(`${server.name} ${scenario}`));
}
