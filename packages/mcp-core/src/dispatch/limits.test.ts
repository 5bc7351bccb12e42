import { expect, it } from 'vitest';
import { createMcpEndpoint } from '../create-endpoint.js';
import { fixtureSnapshot } from '../testing/fixture-server.js';
import { ScriptedClient } from '../testing/scripted-client.js';

const nested = (levels: number): unknown => (levels === 0 ? 'leaf' : [nested(levels - 1)]);

it('refuses a message nested deeper than the endpoint takes, and takes one that is not', () => {
  const shallow = new ScriptedClient(createMcpEndpoint({ limits: { jsonDepth: 8 } }), { snapshot: fixtureSnapshot() });
  const usual = new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot() });
  const list = (client: ScriptedClient) => client.modern('tools/list', { cursor: undefined, deep: nested(12) });
  expect(list(usual).status).toBe(200);
  const refused = list(shallow);
  expect([refused.status, refused.message.error.code]).toEqual([400, -32600]);
  expect(refused.message.error.message).toContain('deeper than 8 levels');
});
