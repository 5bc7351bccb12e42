import { describe, expect, it } from 'vitest';
import {
  createKeyBodySchema,
  notifyBodySchema,
  pageQuerySchema,
  problemCodes,
  putSecretBodySchema,
  scopeSchema,
  serverDocumentSchema,
  serverSettingsDefaults,
  serverSettingsSchema,
  slugSchema,
  toolNameSchema,
} from './index.js';

const tool = { name: 'get', inputSchema: { type: 'object' }, template: { text: 'x' } };
const pathsOf = (value: unknown) =>
  serverDocumentSchema.safeParse(value).error?.issues.map(({ path }) => path.join('/')) ?? [];

describe('slugs and names', () => {
  it.each(['a', 'a1', 'acme-labs', 'x'.repeat(63)])('takes "%s" as a slug', (slug) => {
    expect(slugSchema.safeParse(slug).success).toBe(true);
  });

  it.each(['', 'Acme', '-a', 'a-', 'a_b', 'a/b', 'x'.repeat(64), 'ä'])('refuses "%s" as a slug', (slug) => {
    expect(slugSchema.safeParse(slug).success).toBe(false);
  });

  it('takes tool names of 1 to 128 of the agreed characters', () => {
    for (const name of ['a', 'A.b_c-9', 'x'.repeat(128)]) expect(toolNameSchema.safeParse(name).success).toBe(true);
    for (const name of ['', 'a b', 'a/b', 'x'.repeat(129)]) expect(toolNameSchema.safeParse(name).success).toBe(false);
  });
});

describe('the server document', () => {
  it('completes what may be left out', () => {
    expect(serverDocumentSchema.parse({ name: 'Orders' })).toEqual({
      name: 'Orders',
      version: '1.0.0',
      access: 'key',
      autoPublish: true,
      settings: {},
      tools: [],
    });
  });

  it('takes what it gave: parsing twice changes nothing', () => {
    const once = serverDocumentSchema.parse({
      name: 'Orders',
      tools: [tool, { ...tool, name: 'put', http: undefined }],
    });
    expect(serverDocumentSchema.parse(once)).toEqual(once);
  });

  it('names every unknown field, at every level', () => {
    const faults = pathsOf({ name: 'x', bogus: 1, settings: { nope: 1 }, tools: [{ ...tool, extra: 1 }] });
    expect(faults.sort()).toEqual(['', 'settings', 'tools/0']);
  });

  it.each(['skills', 'upstreams'])('takes an empty list of %s, and refuses a full one in words', (field) => {
    expect(pathsOf({ name: 'x', [field]: [] })).toEqual([]);
    const refused = serverDocumentSchema.safeParse({ name: 'x', [field]: [{}] });
    expect(refused.error?.issues.some(({ message }) => message.includes('not served by this version'))).toBe(true);
  });

  it('takes prompts, resources and templates, and gives back what was sent', () => {
    const lists = {
      prompts: [
        {
          name: 'two words',
          arguments: [{ name: 'who', required: true, complete: ['Ada'] }],
          messages: [{ role: 'user', content: { type: 'text', text: 'Hi {who}' } }],
        },
        { name: 'coded', stateful: true, timeoutMs: 5, code: { source: 'x' } },
      ],
      resources: [
        { uri: 'docs://a', name: 'A', size: 2, annotations: { audience: ['user'], priority: 1 }, text: '# A' },
        { uri: 'docs://b', name: 'B', mimeType: 'image/png', blob: 'aGk=' },
      ],
      resourceTemplates: [{ uriTemplate: 'a://{id}', name: 'One', complete: { id: ['1'] }, text: '{id}' }],
    };
    expect(serverDocumentSchema.parse({ name: 'x', ...lists })).toMatchObject(lists);
    const empty = { name: 'x', prompts: [], resources: [], resourceTemplates: [] };
    expect(serverDocumentSchema.parse(empty)).toMatchObject(empty);
  });

  it('holds prompts and resources to their shape and bounds', () => {
    const prompt = { name: 'p', messages: [] };
    const resource = { uri: 'a:b', name: 'r', text: '' };
    const template = { uriTemplate: 'a:{b}', name: 't', text: '' };
    const faults = (list: string, item: object) => pathsOf({ name: 'x', [list]: [item] });
    for (const name of ['', 'x'.repeat(129), 'a\nb']) {
      expect(faults('prompts', { ...prompt, name })).toEqual(['prompts/0/name']);
    }
    expect(faults('prompts', { ...prompt, messages: [{ role: 'system', content: {} }] })).toEqual([
      'prompts/0/messages/0/role',
    ]);
    expect(faults('prompts', { ...prompt, arguments: [{ name: 'a', type: 'string' }] })).toEqual([
      'prompts/0/arguments/0',
    ]);
    expect(faults('resources', { ...resource, text: 'x'.repeat(1_048_577) })).toEqual(['resources/0/text']);
    expect(faults('resources', { ...resource, uri: undefined, size: -1 }).sort()).toEqual([
      'resources/0/size',
      'resources/0/uri',
    ]);
    expect(faults('resourceTemplates', { ...template, size: 3, blob: '' })).toEqual(['resourceTemplates/0']);
    expect(pathsOf({ name: 'x', prompts: Array(5_001).fill(prompt) })).toEqual(['prompts']);
    expect(pathsOf({ name: 'x', resources: Array(20_001).fill(resource) })).toEqual(['resources']);
    expect(pathsOf({ name: 'x', resourceTemplates: Array(1_001).fill(template) })).toEqual(['resourceTemplates']);
  });

  it('keeps JSON Schemas of tools verbatim, unknown keywords included', () => {
    const inputSchema = { $schema: 'x', $defs: { a: {} }, type: 'object', 'x-own': [1], allOf: [{}] };
    const parsed = serverDocumentSchema.parse({ name: 'x', tools: [{ ...tool, inputSchema }] });
    expect(JSON.stringify(parsed.tools[0]?.inputSchema)).toBe(JSON.stringify(inputSchema));
  });

  it('has a default for every setting (seed R1)', () => {
    expect(Object.keys(serverSettingsDefaults).sort()).toEqual(Object.keys(serverSettingsSchema.shape).sort());
    expect(serverSettingsSchema.safeParse(serverSettingsDefaults).success).toBe(true);
  });
});

describe('what clients are told by hand', () => {
  it('is something, of known kinds', () => {
    for (const body of [
      { resourceUpdated: 'a:b' },
      { message: { level: 'info', data: null } },
      { message: { level: 'info', data: 'a'.repeat(65_534) } },
      { listChanged: ['tools', 'prompts'] },
    ]) {
      expect(notifyBodySchema.parse(body)).toEqual(body);
    }
    for (const body of [
      {},
      { listChanged: [] },
      { listChanged: ['skills'] },
      { message: { level: 'loud', data: 1 } },
      { message: { level: 'info', data: ['a'.repeat(65_534)] } },
    ]) {
      expect(notifyBodySchema.safeParse(body).success).toBe(false);
    }
  });
});

describe('keys, secrets and lists', () => {
  it('gives a key the narrowest useful scope by itself', () => {
    expect(createKeyBodySchema.parse({ name: 'laptop' })).toEqual({
      name: 'laptop',
      scopes: ['mcp:call'],
      servers: [],
    });
  });

  it('binds a secret to at least one host', () => {
    expect(putSecretBodySchema.safeParse({ value: 'v', hosts: [] }).success).toBe(false);
    expect(putSecretBodySchema.safeParse({ value: 'v', hosts: ['https://a.example'] }).success).toBe(false);
    expect(putSecretBodySchema.safeParse({ value: 'v', hosts: ['a.example', '[::1]:8080'] }).success).toBe(true);
  });

  it('reads page sizes from a query, 50 unless said', () => {
    expect(pageQuerySchema.parse({})).toEqual({ limit: 50 });
    expect(pageQuerySchema.parse({ limit: '7', cursor: 'c' })).toEqual({ limit: 7, cursor: 'c' });
    for (const limit of ['0', '201', 'x', '1.5']) expect(pageQuerySchema.safeParse({ limit }).success).toBe(false);
  });
});

describe('words that others rely on', () => {
  it('keeps scopes and problem codes as they are', () => {
    expect(scopeSchema.options).toEqual(['mcp:call', 'mcp:read', 'tenant:read', 'tenant:write', 'keys:write']);
    expect([...problemCodes]).toEqual([
      'bad_request',
      'invalid_document',
      'unauthenticated',
      'forbidden',
      'not_found',
      'method_not_allowed',
      'conflict',
      'payload_too_large',
      'unsupported_media_type',
      'validation_failed',
      'locked_out',
      'rate_limited',
      'host_not_allowed',
      'origin_not_allowed',
      'internal',
      'unavailable',
      'node_silent',
    ]);
  });
});
