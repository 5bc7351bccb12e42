import { describe, expect, it } from 'vitest';
import { clients, snippets } from './snippets';

const endpoint = 'http://127.0.0.1:4000/mcp/acme/orders';

describe('the snippets', () => {
  it.each(clients)('of %s name the endpoint and never hold a key', (client) => {
    const keyed = snippets[client]({ name: 'orders', endpoint, keyed: true });
    expect(keyed).toContain(endpoint);
    expect(keyed).toMatch(/GANTRY_KEY|gantry-key/);
  });

  it.each(clients)('of %s ask for no key where none is needed', (client) => {
    expect(snippets[client]({ name: 'orders', endpoint, keyed: false })).not.toMatch(
      /GANTRY_KEY|gantry-key|Authorization/,
    );
  });

  it.each(['cursor', 'vscode'] as const)('of %s are valid JSON', (client) => {
    expect(() => JSON.parse(snippets[client]({ name: 'orders', endpoint, keyed: true }))).not.toThrow();
  });
});
