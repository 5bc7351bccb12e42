import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../create-endpoint.js';
import type { CatalogueSnapshot } from '../ports/catalogue.js';
import { LEGACY_REVISIONS } from '../protocol/revisions.js';
import { fixturePrompts, fixtureTemplates } from '../testing/fixture-offers.js';
import { fixtureSnapshot } from '../testing/fixture-server.js';
import type { Json } from '../testing/json.js';
import { ScriptedClient } from '../testing/scripted-client.js';
import { REVISIONS } from '../wire/revisions.js';
import { serverCapabilities } from './capabilities.js';

type Offers = Pick<CatalogueSnapshot, 'prompts' | 'resources' | 'resourceTemplates'>;

const tools = { listChanged: true };
const prompts = { listChanged: true };
const resources = { subscribe: true, listChanged: true };

/** What a snapshot offers, and what has to be announced for it. */
const CASES: [string, Offers, Json][] = [
  ['tools alone', {}, { tools, logging: {} }],
  ['empty prompts', { prompts: [] }, { tools, prompts, completions: {}, logging: {} }],
  ['empty resources', { resources: [] }, { tools, resources, logging: {} }],
  ['templates', { resourceTemplates: fixtureTemplates() }, { tools, resources, completions: {}, logging: {} }],
  [
    'everything',
    { prompts: fixturePrompts(), resources: [], resourceTemplates: [] },
    { tools, prompts, resources, completions: {}, logging: {} },
  ],
];

/** Params with which a method answers on a server that has nothing but empty lists, and the code if it cannot. */
const METHODS: Record<string, { needs: string; params: Record<string, Json>; code?: number }> = {
  'prompts/list': { needs: 'prompts', params: {} },
  'prompts/get': { needs: 'prompts', params: { name: 'nobody' }, code: -32602 },
  'resources/list': { needs: 'resources', params: {} },
  'resources/templates/list': { needs: 'resources', params: {} },
  'resources/read': { needs: 'resources', params: { uri: 'no://thing' }, code: -32002 },
  'resources/subscribe': { needs: 'resources', params: { uri: 'no://thing' }, code: -32002 },
  'resources/unsubscribe': { needs: 'resources', params: { uri: 'no://thing' } },
  'completion/complete': { needs: 'completions', params: {}, code: -32602 },
  'tools/list': { needs: 'tools', params: {} },
  'logging/setLevel': { needs: 'logging', params: { level: 'info' } },
};

describe.each(CASES)('a server that offers %s', (_what, offers, announced) => {
  it.each([...LEGACY_REVISIONS])('says so in %s, and serves exactly that (seed B8, wire B22, UPS-04)', async (name) => {
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot([], {}, offers) });
    const { message } = await client.open(name);
    const { completions, ...named } = announced;
    // The oldest revision has the method, and no name for its capability.
    const unnamed = completions === undefined || name === '2024-11-05';
    expect(message.result.capabilities).toEqual(unnamed ? named : announced);
    for (const [method, { needs, params, code }] of Object.entries(METHODS)) {
      const { status, response } = await client.request(method, params).finished();
      expect([method, status, response.error?.code]).toEqual([method, 200, needs in announced ? code : -32601]);
    }
  });

  it('says so in 2026-07-28, and serves exactly that (seed B8, wire C7, wire C21)', async () => {
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot([], {}, offers) });
    const { message } = await client.modern('server/discover').finished();
    expect(message.result.capabilities).toEqual(announced);
    for (const [method, { needs, params, code }] of Object.entries(METHODS)) {
      const { status, response } = await client.modern(method, params).finished();
      const served = needs in announced && !/subscribe|setLevel/.test(method);
      expect([method, status, response.error?.code]).toEqual([
        method,
        served ? 200 : 404,
        served ? (code === -32002 ? -32602 : code) : -32601,
      ]);
    }
  });
});

describe('serverCapabilities', () => {
  it('leaves out completions for a revision that has no such capability', () => {
    const snapshot = fixtureSnapshot([], {}, { prompts: [] });
    const [revision] = REVISIONS;
    if (revision === undefined) throw new Error('no revision');
    expect(serverCapabilities({ snapshot }, { ...revision, announcesCompletions: false })).toEqual({
      tools,
      prompts,
      logging: {},
    });
  });
});

describe('a method that the server does not offer', () => {
  it('is refused after the headers, and before its params, rights and limits are looked at (wire C5)', async () => {
    const asked: string[] = [];
    const hooks = {
      authorize: (method: string) => void asked.push(method),
      beforeCall: (method: string) => void asked.push(method),
    };
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot([]), host: { hooks } });
    const read = async (headers = {}) => {
      const answer = await client.modern('resources/read', { uri: 'docs://x' }, { headers }).finished();
      return [answer.status, answer.message.error.code];
    };
    expect(await read({ 'mcp-name': 'docs://y' })).toEqual([400, -32020]);
    expect(await read()).toEqual([404, -32601]);
    expect(asked).toEqual([]);
  });
});
