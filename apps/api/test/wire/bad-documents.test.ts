import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ModernClient, SessionClient, textOf } from './clients.js';
import { privateHosts } from './private-hosts.js';
import { useWorld } from './world.js';

const world = useWorld();
const cases = JSON.parse(readFileSync(new URL('../cases/tools-one-bad.json', import.meta.url), 'utf8')) as {
  name: string;
  inputSchema: Record<string, unknown>;
}[];

function tool(more: object = {}): object {
  return { name: 'one', description: 'one', inputSchema: { type: 'object' }, template: { text: 'ran' }, ...more };
}

const put = (slug: string, document: unknown) => world.gantry.admin('PUT', `/tenants/acme/servers/${slug}`, document);

/** Places of the faults, sorted. */
async function faultsOf(document: unknown): Promise<string[]> {
  const { status, headers, body } = await put('refused', document);
  expect([status, headers.get('content-type')]).toEqual([422, expect.stringMatching(/^application\/problem\+json/)]);
  for (const { path, message } of body.errors) {
    expect(path).toMatch(/^(\/([^~/]|~[01])*)*$/);
    expect(message.length).toBeGreaterThan(3);
  }
  return body.errors.map(({ path }: { path: string }) => path).sort();
}

describe('a document with five faults', () => {
  const faulty = {
    name: 'Faulty',
    colour: 'red',
    tools: [
      tool(),
      tool({ name: 'a b' }),
      tool({ name: 'two', inputSchema: { type: 'string' } }),
      tool({ name: 'three', code: { source: 'export default async () => 1' } }),
      tool({ name: 'four', inputSchema: { type: 'object', properties: { 'a/b': { type: 'nonsense' } } } }),
    ],
  };

  it('is told all five, each with its place, and nothing is stored', async () => {
    expect(await faultsOf(faulty)).toEqual([
      '/colour',
      '/tools/1/name',
      '/tools/2/inputSchema/type',
      '/tools/3',
      expect.stringMatching(/^\/tools\/4\/inputSchema\/properties\/a~1b/),
    ]);
    expect((await world.gantry.admin('GET', '/tenants/acme/servers/refused')).status).toBe(404);
    const client = new ModernClient(world.gantry.mcpUrl('acme', 'refused'), world.key);
    expect((await client.ask('tools/list')).status).toBe(404);
  });

  it('replaces nothing of what is served', async () => {
    await put('steady', { name: 'Steady', tools: [tool()] });
    const before = await world.gantry.admin('GET', '/tenants/acme/servers/steady');
    expect((await put('steady', faulty)).status).toBe(422);
    expect((await world.gantry.admin('GET', '/tenants/acme/servers/steady')).body).toEqual(before.body);
    const client = new ModernClient(world.gantry.mcpUrl('acme', 'steady'), world.key);
    expect(textOf(await (await client.call('one')).result())).toBe('ran');
  });
});

describe('a document that is refused', () => {
  it('may have a schema whose root is no object', async () => {
    for (const inputSchema of [{ type: 'string' }, { type: 'array' }, { type: ['object', 'null'] }]) {
      expect(await faultsOf({ name: 'x', tools: [tool({ inputSchema })] })).toEqual(['/tools/0/inputSchema/type']);
    }
    for (const inputSchema of ['text', [], null, 5, true, undefined]) {
      expect(await faultsOf({ name: 'x', tools: [tool({ inputSchema })] })).toEqual(['/tools/0/inputSchema']);
    }
  });

  it('may mirror arguments in a way clients drop the tool for (MOD-12)', async () => {
    const mirrored = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name });
    const bad = [
      { a: mirrored('') },
      { a: mirrored('Region'), b: mirrored('REGION') },
      { a: mirrored('Amount', 'number') },
      { a: { type: 'array', items: mirrored('Item') } },
      { a: { anyOf: [mirrored('Any')] } },
      { a: mirrored('A\r\nB') },
    ];
    for (const properties of bad) {
      const faults = await faultsOf({ name: 'x', tools: [tool({ inputSchema: { type: 'object', properties } })] });
      expect(faults.length).toBeGreaterThan(0);
      for (const path of faults) expect(path).toMatch(/^\/tools\/0\/inputSchema/);
    }
  });

  it('may let arguments choose the host, the port or the scheme', async () => {
    const urls = [
      'http://{host}/x',
      'https://a.{x}.example/',
      'https://example.com:{port}/',
      '{url}',
      '{scheme}://a.example/',
    ];
    for (const url of [
      ...urls,
      'https://user:{password}@example.com/',
      'https://example.com/{+path}',
      'ftp://example.com/',
    ]) {
      const faults = await faultsOf({ name: 'x', tools: [tool({ template: undefined, http: { url } })] });
      expect([url, faults]).toEqual([url, ['/tools/0/http/url']]);
    }
  });

  it.each(privateHosts)('may aim at the private address %s (HTT-01)', async (host) => {
    const http = { url: `http://${host}:9/` };
    expect(await faultsOf({ name: 'x', tools: [tool({ template: undefined, http })] })).toEqual(['/tools/0/http/url']);
  });

  it('may be no document at all', async () => {
    for (const body of [[], 'text', 5]) expect([400, 422]).toContain((await put('refused', body)).status);
    expect((await world.gantry.admin('GET', '/tenants/acme/servers/refused')).status).toBe(404);
  });
});

describe('one bad tool among good ones', () => {
  it('keeps the document from being stored, by its place (SCH-01)', async () => {
    const tools = cases.map((one) => ({ ...one, template: { text: 'ran' } }));
    const bad = cases.findIndex(({ name }) => name === 'bad_root');
    expect(await faultsOf({ name: 'x', tools })).toEqual([`/tools/${bad}/inputSchema/type`]);
  });

  it('left out, the others are listed with an object at the root and work (SCH-02, SCH-06)', async () => {
    const tools = cases.filter(({ name }) => name !== 'bad_root').map((one) => ({ ...one, template: { text: 'ran' } }));
    expect((await put('good-ones', { name: 'x', tools })).status).toBe(201);
    const url = world.gantry.mcpUrl('acme', 'good-ones');
    const modern = new ModernClient(url, world.key);
    const session = await new SessionClient(url, world.key).open();
    for (const client of [modern, session]) {
      const listed = (await (await client.ask('tools/list')).result()).result.tools as typeof cases;
      expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
      for (const { name, inputSchema } of listed) {
        const given = cases.find((one) => one.name === name)?.inputSchema;
        expect(inputSchema).toMatchObject({ type: 'object', ...given });
        if (name === 'empty') expect(inputSchema).toEqual({ type: 'object', properties: {} });
      }
      for (const { name } of listed.filter(({ name }) => name !== 'root_any')) {
        expect([name, textOf(await (await client.call(name)).result())]).toEqual([name, 'ran']);
      }
      expect((await (await client.call('root_any', {})).result()).result.isError).toBe(true);
      expect(textOf(await (await client.call('root_any', { slug: 'x' })).result())).toBe('ran');
    }
  });
});
