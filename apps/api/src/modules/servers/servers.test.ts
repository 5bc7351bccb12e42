import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../test/harness/api.js';

const api = useApi();
const tool = (name: string, more: object = {}) => ({
  name,
  description: 'Says something.',
  inputSchema: { type: 'object', properties: { zeta: { type: 'string' }, alpha: { type: 'string' } } },
  template: { text: 'Hello {zeta}' },
  ...more,
});

beforeAll(async () => {
  for (const slug of ['acme', 'other'])
    expect((await api.post('/api/v1/tenants', { slug, name: slug })).statusCode).toBe(201);
});

describe('PUT of a server', () => {
  it('creates, then replaces, and keeps the order of properties', async () => {
    const url = '/api/v1/tenants/acme/servers/orders';
    const first = await api.put(url, { name: 'Orders', tools: [tool('b'), tool('a')] });
    expect(first.json()).toMatchObject({ revision: 1, warnings: [], diff: { added: ['b', 'a'] } });
    expect(first.statusCode).toBe(201);
    const second = await api.put(url, { name: 'Orders', tools: [tool('a'), tool('c')] });
    expect(second.statusCode).toBe(200);
    expect(second.json()).toMatchObject({ revision: 2, diff: { added: ['c'], changed: [], removed: ['b'] } });
    const document = await api.get(url);
    expect(Object.keys(document.json().tools[0].inputSchema.properties)).toEqual(['zeta', 'alpha']);
    expect((await api.put(url, document.json())).json()).toMatchObject({ revision: 2 });
  });
});
