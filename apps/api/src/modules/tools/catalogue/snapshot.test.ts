import { serverDocumentSchema } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { buildSnapshot } from './snapshot.js';

const published = {
  tenantId: 't1',
  tenantSlug: 'acme',
  tenantLimits: { egressAllow: ['10.0.0.1:80'] },
  serverId: 's1',
  serverSlug: 'orders',
  revision: 3,
};
const snapshotOf = (lists: object) =>
  buildSnapshot({ ...published, document: serverDocumentSchema.parse({ name: 'Orders', ...lists }) });

describe('buildSnapshot', () => {
  it('offers a list exactly when the document has it', () => {
    const bare = snapshotOf({});
    expect([bare.prompts, bare.resources, bare.resourceTemplates]).toEqual([undefined, undefined, undefined]);
    expect(snapshotOf({ prompts: [], resources: [], resourceTemplates: [] })).toMatchObject({
      prompts: [],
      resources: [],
      resourceTemplates: [],
    });
  });

  it("bounds a job by its tool's own limit, else by the platform's, and any other run by 30 s", () => {
    const described = { description: 'Does it.', inputSchema: { type: 'object' } };
    const http = { method: 'GET', url: 'https://example.com/' };
    const document = serverDocumentSchema.parse({
      name: 'Orders',
      tools: [
        { name: 'inline', ...described, http },
        { name: 'job', ...described, http, execution: 'job' },
        { name: 'streams', ...described, http: { ...http, stream: 'sse' } },
        { name: 'own', ...described, http, execution: 'job', timeoutMs: 5_000 },
      ],
    });
    const { tools } = buildSnapshot({ ...published, document }, 60_000);
    const facts = tools.map(({ definition, timeoutMs, execution, task }) => [
      definition.name,
      timeoutMs,
      execution,
      task,
      definition.execution?.taskSupport,
    ]);
    expect(facts).toEqual([
      ['inline', 30_000, 'inline', 'forbidden', undefined],
      ['job', 60_000, 'job', 'optional', 'optional'],
      ['streams', 60_000, 'job', 'optional', 'optional'],
      ['own', 5_000, 'job', 'optional', 'optional'],
    ]);
  });

  it('shows clients what is theirs, and keeps the rest for the runners', () => {
    const { prompts, resources, resourceTemplates } = snapshotOf({
      prompts: [
        { name: 'p', arguments: [{ name: 'a', required: true, complete: ['x', 'y'] }], messages: [], stateful: true },
      ],
      resources: [
        { uri: 'a:1', name: 'One', text: 'né', size: 99 },
        { uri: 'a:2', name: 'Two', blob: 'aGk=', mimeType: 'image/png' },
        { uri: 'a:3', name: 'Three', size: 7, code: { source: 'x' }, timeoutMs: 5 },
      ],
      resourceTemplates: [{ uriTemplate: 'a:{id}', name: 'T', complete: { id: ['1'] }, text: '{id}' }],
    });
    expect(prompts).toMatchObject([
      {
        definition: { name: 'p', arguments: [{ name: 'a', required: true }] },
        stateful: true,
        timeoutMs: 30_000,
        completions: { a: ['x', 'y'] },
        runner: { tenantId: 't1', serverId: 's1', egressAllow: ['10.0.0.1:80'] },
      },
    ]);
    expect(prompts?.[0]?.definition).toEqual({ name: 'p', arguments: [{ name: 'a', required: true }] });
    expect(resources?.map(({ definition }) => definition)).toEqual([
      { uri: 'a:1', name: 'One', size: 3 },
      { uri: 'a:2', name: 'Two', mimeType: 'image/png', size: 2 },
      { uri: 'a:3', name: 'Three', size: 7 },
    ]);
    expect(resources?.[2]?.timeoutMs).toBe(5);
    expect(resourceTemplates).toMatchObject([{ completions: { id: ['1'] } }]);
    expect(resourceTemplates?.[0]?.definition).toEqual({ uriTemplate: 'a:{id}', name: 'T' });
  });
});
