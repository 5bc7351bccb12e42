import { describe, expect, it } from 'vitest';
import { InputNeeded } from '../../ports/tool-runner.js';
import { fixtureTool, Gate, text } from '../../testing/fixture-server.js';
import { jobWorld } from '../../testing/job-world.js';
import type { Json } from '../../testing/json.js';
import { ScriptedSseClient } from '../../testing/scripted-sse-client.js';

const ASKS = { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } };

/** A client whose stream is on one node, and which posts to the other. */
async function setUp(revision = '2024-11-05') {
  const gate = new Gate();
  const job = { job: true, task: 'optional' } as const;
  const world = jobWorld([
    fixtureTool(
      'ticks',
      async (_args, context) => {
        for (let tick = 1; tick <= 3; tick++) context.progress(tick, 3);
        await gate.pass(context.signal);
        return text('ticked');
      },
      job,
    ),
    fixtureTool(
      'asks',
      (_args, { inputs: { answers } }) =>
        'sure' in answers
          ? text(JSON.stringify(answers.sure))
          : new InputNeeded({ sure: { method: 'elicitation/create', params: ASKS } }),
      job,
    ),
  ]);
  const { endpoint, snapshot } = world.a;
  const client = new ScriptedSseClient(world.b.endpoint, { snapshot, host: { jobs: world.jobs } });
  await client.open(endpoint, revision, { elicitation: {} });
  const said = (wanted: (message: Json) => boolean) => client.stream.messages.filter(wanted);
  return { ...world, gate, client, said };
}

describe('a job called over HTTP+SSE', () => {
  it('says progress and answer on the stream, whichever node took the call (wire A5, PRG-01)', async () => {
    const { client, gate, said } = await setUp();
    const answer = client.call('ticks', {}, { progressToken: 0 });
    await gate.entered();
    gate.open();
    expect((await answer).result.content[0].text).toBe('ticked');
    const progress = said(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params)).toEqual(
      [1, 2, 3].map((at) => ({ progressToken: 0, progress: at, total: 3 })),
    );
    expect(client.stream.messages.at(-1).result).toBeDefined();
  });

  it('is cancelled by its client through another node, and is not answered', async () => {
    const { client, gate, a, said } = await setUp();
    const id = await client.send('tools/call', { name: 'ticks' });
    await gate.entered();
    await client.notify('notifications/cancelled', { requestId: id }, a.endpoint);
    expect(gate.signals[0]?.aborted).toBe(true);
    await client.request('ping');
    expect(said((message) => message.id === id)).toEqual([]);
  });

  it('asks on the stream and goes on with an answer to any node', async () => {
    const { client, a } = await setUp('2025-06-18');
    const answer = client.call('asks');
    const asked = () => client.stream.messages.find(({ method }) => method === 'elicitation/create');
    await client.stream.until(() => asked() !== undefined);
    const result = { action: 'accept', content: { sure: true } };
    await client.post({ jsonrpc: '2.0', id: asked().id, result }, { node: a.endpoint }).finished();
    expect((await answer).result.content[0].text).toContain('"sure":true');
  });
});
