import { describe, expect, it } from 'vitest';
import { ModernClient, SessionClient } from './clients.js';
import type { Message } from './exchange.js';
import { useWorld } from './world.js';

const world = useWorld();
let servers = 0;

async function newServer(document: object): Promise<{ path: string; url: string }> {
  const slug = `lists-${++servers}`;
  const put = await world.gantry.server('acme', slug, { name: slug, ...document });
  expect(put.status).toBe(201);
  return { path: `/tenants/acme/servers/${slug}`, url: world.gantry.mcpUrl('acme', slug) };
}

const tool = (name: string, more: object = {}) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  template: { text: name },
  ...more,
});

async function bothEras(url: string) {
  return [await new SessionClient(url, world.key).open(), new ModernClient(url, world.key)] as const;
}

/** Every `$ref` of a schema, wherever it stands. */
function refsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : refsOf(child),
  );
}

function resolves(schema: unknown, ref: string): boolean {
  let node = schema;
  for (const part of ref.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    if (typeof node !== 'object' || node === null) return false;
    node = (node as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return node !== undefined;
}

describe('a listed schema', () => {
  const schemas = {
    defs: {
      type: 'object',
      properties: { at: { $ref: '#/$defs/place' }, inner: { $ref: '#/properties/at' } },
      $defs: { place: { type: 'object', properties: { 'a/b': { $ref: '#/$defs/name' } } }, name: { type: 'string' } },
    },
    definitions: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { at: { $ref: '#/definitions/place' }, self: { $ref: '#' } },
      definitions: { place: { type: 'string' } },
    },
  };

  it('is what was given, and each of its references leads somewhere (SCH-03)', async () => {
    const tools = Object.entries(schemas).map(([name, inputSchema]) => tool(name, { inputSchema }));
    const { url } = await newServer({ tools });
    for (const client of await bothEras(url)) {
      const listed = (await (await client.ask('tools/list')).result()).result.tools;
      expect(Object.fromEntries(listed.map(({ name, inputSchema }: Message) => [name, inputSchema]))).toEqual(schemas);
      for (const { inputSchema } of listed) {
        const refs = refsOf(inputSchema);
        expect(refs.length).toBeGreaterThan(1);
        expect(refs.filter((ref) => !resolves(inputSchema, ref))).toEqual([]);
      }
    }
  });
});

describe('a list in pages', () => {
  it('is disjoint and complete though an item is added on the way, and knows no other cursor (PAG-03)', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `tool_${String(n).padStart(2, '0')}`);
    const document = {
      settings: { pageSize: 10 },
      tools: names.map((name) => tool(name)),
      prompts: names.map((name) => ({ name, description: name, messages: [] })),
      resources: names.map((name) => ({ uri: `docs://${name}`, name, description: name, text: '' })),
    };
    const { path, url } = await newServer(document);
    const stranger = await newServer(document);
    const [, other] = await bothEras(stranger.url);
    const foreign = (await (await other.ask('tools/list')).result()).result.nextCursor;
    let made = 0;
    for (const client of await bothEras(url)) {
      for (const [method, list, make] of [
        ['tools/list', 'tools', (name: string) => tool(name)],
        ['prompts/list', 'prompts', (name: string) => ({ name, messages: [] })],
        ['resources/list', 'resources', (name: string) => ({ uri: `docs://${name}`, name, text: '' })],
      ] as const) {
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
          const { result } = await (await client.ask(method, cursor === undefined ? {} : { cursor })).result();
          seen.push(...result[list].map(({ name }: Message) => name));
          cursor = result.nextCursor;
          if (page === 2) await world.gantry.admin('POST', `${path}/${list}`, make(`late_${++made}`));
        }
        expect(seen.filter((name) => name.startsWith('tool_'))).toEqual(names);
        expect(new Set(seen).size).toBe(seen.length);
      }
      for (const bad of ['zzz', '', foreign]) {
        const refused = await client.ask('tools/list', { cursor: bad });
        expect(JSON.parse(await refused.body()).error).toMatchObject({ code: -32602 });
      }
    }
  });
});
