import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../protocol/revisions.js';
import { fullSnapshot } from '../../testing/fixture-offers.js';
import type { Json } from '../../testing/json.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const prompt = { type: 'ref/prompt', name: 'greet' };
const template = { type: 'ref/resource', uri: 'orders://{id}' };

describe.each([...LEGACY_REVISIONS, ...MODERN_REVISIONS])('completion/complete in %s', (revision) => {
  const asking = async () => {
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fullSnapshot() });
    const modern = MODERN_REVISIONS.includes(revision as never);
    if (!modern) await client.open(revision);
    return async (params: Record<string, Json>) => {
      const start = modern
        ? client.modern('completion/complete', params)
        : client.request('completion/complete', params);
      return (await start.finished()).response;
    };
  };

  it('completes arguments of prompts by their beginning, whatever the case (seed F1)', async () => {
    const complete = await asking();
    const values = async (name: string, value: string, more = {}) =>
      (await complete({ ref: prompt, argument: { name, value }, ...more })).result.completion;
    expect(await values('who', 'a')).toEqual({ values: ['Ada', 'Alan'], total: 2, hasMore: false });
    expect((await values('who', 'å')).values).toEqual(['Åsa']);
    expect((await values('who', '', { context: { arguments: { tone: 'kind' } } })).values).toHaveLength(4);
    expect(await values('tone', 'x')).toEqual({ values: [], total: 0, hasMore: false });
  });

  it('gives at most 100 values, and says how many there are (seed F1, wire B30)', async () => {
    const complete = await asking();
    const { completion } = (await complete({ ref: template, argument: { name: 'id', value: 'o-' } })).result;
    expect([completion.values.length, completion.total, completion.hasMore]).toEqual([100, 150, true]);
    expect(completion.values.slice(0, 2)).toEqual(['O-0', 'O-1']);
  });

  it('refuses what is unknown or malformed (seed F1)', async () => {
    const complete = await asking();
    const argument = { name: 'who', value: '' };
    const refused: Record<string, Json>[] = [
      {},
      { ref: prompt },
      { argument },
      { ref: 'greet', argument },
      { ref: { type: 'ref/tool', name: 'add' }, argument },
      { ref: { type: 'ref/prompt', name: 'nobody' }, argument },
      { ref: { type: 'ref/prompt' }, argument },
      { ref: { type: 'ref/resource', uri: 'docs://readme' }, argument },
      { ref: { type: 'ref/resource' }, argument },
      { ref: prompt, argument: { name: 'nothing', value: '' } },
      { ref: prompt, argument: { name: 'toString', value: '' } },
      { ref: prompt, argument: { name: 'who' } },
      { ref: prompt, argument: { name: 'who', value: 5 } },
      { ref: prompt, argument, context: [] },
    ];
    for (const params of refused) expect((await complete(params)).error?.code).toBe(-32602);
  });
});
