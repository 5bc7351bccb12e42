import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seenAborted } from '../wire/backend.js';
import { SessionClient, textOf } from '../wire/clients.js';
import { code } from '../wire/documents.js';
import { ask } from '../wire/exchange.js';
import { useNodes } from './world.js';

const world = useNodes();
const [A, B, C] = [0, 1, 2];
const TURN_MS = 15_000;

/** Status and body of every verb in a session, at one node. */
async function everyVerb(client: SessionClient, sessionId: string, node: number): Promise<[number, string][]> {
  const there = client.at(client.url.replace(/^http:\/\/[^/]+/, world.cluster.node(node).url));
  there.sessionId = sessionId;
  const answers = [await there.ask('ping', {}, { id: 1 }), await there.get(), await there.delete()];
  return Promise.all(answers.map(async (answer): Promise<[number, string]> => [answer.status, await answer.body()]));
}

describe('a session', () => {
  it('is served by a node that did not open it, also when the one that did is dead (SES-01)', async () => {
    const session = await world.open(A);
    const there = session.at(world.at(B));
    const lists: string[] = [];
    const listThirtyTimes = async () => {
      for (let i = 0; i < 30; i += 1) {
        const answer = await there.ask('tools/list');
        expect(answer.status).toBe(200);
        lists.push(JSON.stringify((await answer.result()).result));
      }
    };
    await listThirtyTimes();
    await world.cluster.node(A).kill();
    await listThirtyTimes();
    expect(new Set(lists).size).toBe(1);
    expect(lists).toHaveLength(60);
  });

  it('can be used at another node the moment its id is known, 200 times (SES-04)', async () => {
    const failed: string[] = [];
    for (let i = 0; i < 200; i += 1) {
      const client = new SessionClient(world.at(i % 3), world.key);
      const opened = await client.initialize();
      client.sessionId = opened.headers['mcp-session-id'] as string;
      const there = client.at(world.at((i + 1) % 3));
      const answers = await Promise.all([
        there.ask('logging/setLevel', { level: 'error' }),
        there.post({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      ]);
      const statuses = answers.map(({ status }) => status).join();
      if (statuses !== '200,202') failed.push(`${i}: ${statuses}`);
      if (i % 10 === 0) await there.delete();
    }
    expect(failed).toEqual([]);
  });

  it('keeps what initialize agreed when the node that agreed is dead (SES-09)', async () => {
    const session = await world.open(A, { server: 'features', revision: '2025-03-26' });
    await (await session.ask('logging/setLevel', { level: 'error' })).result();
    await world.cluster.server('acme', 'terse', {
      name: 'terse',
      tools: [
        code(
          'whisper_and_ask',
          `ctx.log("debug", "hush"); const said = await ctx.elicit("who", { message: "Who?",
             requestedSchema: { type: "object", properties: {} } }); return said.action;`,
        ),
      ],
    });
    const terse = await world.open(A, { server: 'terse', revision: '2025-03-26' });
    await (await terse.ask('logging/setLevel', { level: 'error' })).result();
    await world.cluster.node(A).kill();
    const there = terse.at(world.at(B, 'terse'));
    const answer = await there.call('whisper_and_ask');
    const { result } = await answer.result();
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/elicitation/) }] });
    expect(answer.messages.filter(({ method }) => method !== undefined)).toEqual([]);
    // The revision too: later ones know no batches.
    const batch = await there.post([{ jsonrpc: '2.0', id: 'a', method: 'ping' }]);
    expect([batch.status, JSON.parse(await batch.body())]).toEqual([200, [{ jsonrpc: '2.0', id: 'a', result: {} }]]);
  });

  it('ends on all nodes by DELETE at any: streams close, work stops, and its id is unknown (wire B3)', async () => {
    const session = await world.open(A);
    const standalone = await session.at(world.at(B)).get();
    const call = session.start('held_http', { at: 'ended' });
    const held = await world.backend.arrived('/held/ended');
    expect((await session.at(world.at(C)).delete()).status).toBe(204);
    await standalone.ended();
    await seenAborted(held);
    await (await call.answer).body();
    for (const node of [A, B, C]) {
      const answers = await everyVerb(session, session.sessionId, node);
      expect(answers.map(([status]) => status)).toEqual([404, 404, 404]);
    }
  });

  it('can be ended though the node that opened it and holds its stream is dead', async () => {
    const session = await world.open(A);
    await session.get();
    await world.cluster.node(A).kill();
    expect((await session.at(world.at(B)).delete()).status).toBe(204);
    expect((await session.at(world.at(C)).ask('ping')).status).toBe(404);
  });

  it('of another is exactly as an unknown one, on every node (TEN-01)', async () => {
    const session = await world.open(A);
    const colleague = new SessionClient(world.at(B), (await world.cluster.key('acme')).key);
    await world.cluster.tenant('beta');
    await world.cluster.server('beta', 'kinds', { name: 'theirs' });
    const beta = new SessionClient(
      world.cluster.node(B).mcpUrl('beta', 'kinds'),
      (await world.cluster.key('beta')).key,
    );
    for (const node of [A, B, C]) {
      const unknown = await everyVerb(colleague, randomUUID(), node);
      expect(unknown.map(([status]) => status)).toEqual([404, 404, 404]);
      expect(await everyVerb(colleague, session.sessionId, node)).toEqual(unknown);
      expect(await everyVerb(beta, session.sessionId, node)).toEqual(unknown);
    }
    for (const node of [A, B, C]) expect((await session.at(world.at(node)).ask('ping')).status).toBe(200);
  });
});

describe('state of a session', () => {
  it('counts 200 concurrent calls over three nodes to 200, one at a time', async () => {
    await world.cluster.server('acme', 'counting', {
      name: 'counting',
      settings: { pendingMax: 300 },
      tools: [code('count', 'ctx.state.n = (ctx.state.n ?? 0) + 1; return String(ctx.state.n);', { stateful: true })],
    });
    const session = await world.open(A, { server: 'counting' });
    const calls = Array.from({ length: 200 }, async (_, i) => {
      // Each waits for those before it, which takes its time on a busy machine.
      const answer = await session.at(world.at(i % 3, 'counting')).start('count').answer;
      return Number(textOf(await answer.result()));
    });
    const counted = (await Promise.all(calls)).sort((a, b) => a - b);
    expect(counted).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    await world.cluster.node(A).kill();
    const last = await session.at(world.at(B, 'counting')).call('count');
    expect(textOf(await last.result())).toBe('201');
  }, 120_000);

  it('is as before the run whose node was killed, and the next run has its turn within 15 s', async () => {
    await world.cluster.server('acme', 'held-state', {
      name: 'held-state',
      tools: [
        code(
          'add',
          `ctx.state.n = (ctx.state.n ?? 0) + 1; if (args.at)
             await (await ctx.fetch("${world.backend.url}/held/" + args.at)).text(); return String(ctx.state.n);`,
          { stateful: true },
        ),
      ],
    });
    const session = await world.open(B, { server: 'held-state' });
    expect(textOf(await (await session.call('add')).result())).toBe('1');
    const cut = session.at(world.at(A, 'held-state')).start('add', { at: 'killed-in-turn' });
    await world.backend.arrived('/held/killed-in-turn');
    await world.cluster.node(A).kill();
    await expect(cut.answer).rejects.toThrow();
    const next = session.request('tools/call', { name: 'add', arguments: {} });
    const answer = await ask(world.at(C, 'held-state'), { ...next, waitMs: TURN_MS });
    expect(textOf(await answer.result())).toBe('2');
  });
});
