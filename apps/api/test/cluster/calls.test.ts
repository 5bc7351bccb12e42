import { describe, expect, it } from 'vitest';
import { seenAborted } from '../wire/backend.js';
import { textOf } from '../wire/clients.js';
import { within } from '../wire/deadline.js';
import type { Message } from '../wire/exchange.js';
import { type OfficialName, officialClients } from '../wire/official.js';
import { ResumingReader } from './resuming-reader.js';
import { useNodes } from './world.js';

const world = useNodes();
const [A, B, C] = [0, 1, 2];
const UNKNOWN_MS = 15_000;

const responses = (messages: readonly Message[]) => messages.filter(({ method }) => method === undefined);

describe('a running call', () => {
  it('is cancelled through another node at once, and is not answered (CAN-01)', async () => {
    const session = await world.open(A);
    await world.cluster.node(A).kill();
    const id = 'cancel-me';
    const call = session.at(world.at(B)).start('held_http', { at: 'can-01' }, { id });
    const held = await world.backend.arrived('/held/can-01');
    const told = await session.at(world.at(C)).post({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
    expect(told.status).toBe(202);
    await seenAborted(held, 1_000);
    const answer = await call.answer;
    await answer.ended();
    expect(responses(answer.messages)).toEqual([]);
    expect((await session.at(world.at(C)).ask('ping')).status).toBe(200);
  });

  it('is not begun when its cancel came first, at another node', async () => {
    const session = await world.open(A);
    await world.cluster.node(A).kill();
    const params = { requestId: 'overtaken' };
    await session.at(world.at(C)).post({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    const call = session.at(world.at(B)).start('held_http', { at: 'overtaken' }, { id: 'overtaken' });
    const answer = await call.answer;
    await answer.body();
    expect(world.backend.count('/held/overtaken')).toBe(0);
  });

  it('gets the answers to its questions through other nodes', async () => {
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };
    const session = await world.open(A, { server: 'features', capabilities });
    await world.cluster.node(A).kill();
    const answer = await session.at(world.at(B, 'features')).call('ask_all');
    const results: Record<string, object> = {
      'elicitation/create': { action: 'accept', content: { name: 'Ada' } },
      'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } },
      'roots/list': { roots: [{ uri: 'file:///one' }, { uri: 'file:///two' }] },
    };
    for (const [method, result] of Object.entries(results)) {
      const { message } = await answer.notified(method);
      const posted = await session.at(world.at(C, 'features')).post({ jsonrpc: '2.0', id: message.id, result });
      expect(posted.status).toBe(202);
    }
    expect(textOf(await answer.result())).toBe('Ada hi 2');
  });

  it('whose node is killed ends once, as "outcome unknown", within 15 s', async () => {
    const session = await world.open(B);
    const id = 'lost';
    const meta = { progressToken: 1 };
    const first = await session.at(world.at(A)).call('slow_charge', { at: 'lost' }, { id, meta });
    await first.notified('notifications/progress');
    await world.backend.arrived('/held/lost');
    await world.cluster.node(A).kill();
    const killed = Date.now();
    // Whoever resumes on any node is told, also two of them one after the other.
    const reader = new ResumingReader(session.at(world.anywhere()), first);
    await within('an answer to the lost call', reader.done, UNKNOWN_MS);
    expect(Date.now() - killed).toBeLessThan(UNKNOWN_MS);
    const [answer, ...more] = responses(reader.messages.all);
    expect(more).toEqual([]);
    expect(answer).toMatchObject({ id, error: { message: expect.stringMatching(/outcome (is )?unknown/i) } });
    expect((await session.at(world.at(C)).ask('ping')).status).toBe(200);
  });

  it('is finished within the grace by a node that is told to stop, and read on elsewhere', async () => {
    const session = await world.open(A);
    const standalone = await session.get();
    const first = await session.call('slow_charge', { at: 'grace' }, { meta: { progressToken: 1 } });
    await first.notified('notifications/progress');
    const reader = new ResumingReader(session.at(world.anywhere()), first);
    const idle = new ResumingReader(session.at(world.anywhere()), standalone);
    const held = await world.backend.arrived('/held/grace');
    const stopped = world.cluster.node(A).stop();
    await expect.poll(() => idle.resumes, { timeout: 10_000 }).toBeGreaterThan(0);
    held.answer('go');
    await reader.done;
    await within('the end of the node', stopped, 12_000);
    expect(textOf(responses(reader.messages.all)[0])).toBe('charged');
    await world.say('after the stop');
    expect((await idle.count(1)).map(({ params }) => params.data)).toEqual(['after the stop']);
    await idle.stop();
  });
});

describe.each(Object.keys(officialClients) as OfficialName[])('%s', (name) => {
  it('calls and lists over all nodes while each of them is killed in turn', async () => {
    const client = await officialClients[name]({ url: world.anywhere(), key: world.key });
    const answers: string[] = [];
    for (const node of world.cluster.nodes) {
      await node.kill();
      for (let i = 0; i < 10; i += 1) {
        const ticks: number[] = [];
        const call = client.call('steps', { n: 3 }, { onprogress: ({ progress }) => ticks.push(progress) });
        answers.push((await call).content[0].text);
        expect(ticks).toEqual([1, 2, 3]);
      }
      expect((await client.list()).names).toContain('steps');
      await node.restart();
    }
    expect(answers).toEqual(Array(30).fill('stepped'));
    await client.close();
  });
});
