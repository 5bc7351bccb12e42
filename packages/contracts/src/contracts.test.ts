import { describe, expect, it } from 'vitest';
import {
  createKeyBodySchema,
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

  it.each(['prompts', 'resources', 'resourceTemplates', 'skills', 'upstreams'])(
    'takes an empty list of %s, and refuses a full one in words',
    (field) => {
      expect(pathsOf({ name: 'x', [field]: [] })).toEqual([]);
      const refused = serverDocumentSchema.safeParse({ name: 'x', [field]: [{}] });
      expect(refused.error?.issues.some(({ message }) => message.includes('not served by this version'))).toBe(true);
    },
  );

  it('keeps JSON Schemas of tools verbatim, unknown keywords included', () => {
    const inputSchema = { $schema: 'x', $defs: { a: {} }, type: 'object', 'x-own': [1], allOf: [{}] };
    const parsed = serverDocumentSchema.parse({ name: 'x', tools: [{ ...tool, inputSchema }] });
    expect(JSON.stringify(parsed.tools[0]?.inputSchema)).toBe(JSON.stringify(inputSchema));
  });

  it('has a default for every setting', () => {
    expect(Object.keys(serverSettingsDefaults).sort()).toEqual(Object.keys(serverSettingsSchema.shape).sort());
    expect(serverSettingsSchema.safeParse(serverSettingsDefaults).success).toBe(true);
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
    ]);
  });
});
