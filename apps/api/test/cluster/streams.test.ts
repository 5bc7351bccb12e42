import { describe, expect, it } from 'vitest';
import { ModernClient, type SessionClient } from '../wire/clients.js';
import type { Answer } from '../wire/exchange.js';
import { ResumingReader } from './resuming-reader.js';
import { tool, useNodes } from './world.js';

const world = useNodes();
const [A, B, C] = [0, 1, 2];
let servers = 0;

async function newServer(): Promise<string> {
  const slug = `streams-${++servers}`;
  await world.cluster.server('acme', slug, {
    name: slug,
    tools: [],
    prompts: [],
    resources: [{ uri: 'docs://one', name: 'one', description: 'one', text: '' }],
  });
  return slug;
}

async function add(server: string, list: 'tools' | 'prompts' | 'resources', item: object): Promise<void> {
  const { status, body } = await world.cluster.admin('POST', `/tenants/acme/servers/${server}/${list}`, item);
  if (status !== 201) throw new Error(`${list}: ${status} ${JSON.stringify(body)}`);
}

const prompt = (name: string) => ({ name, description: name, messages: [] });
const methods = (messages: readonly { method?: string }[]) => messages.map(({ method }) => method ?? 'response');
const lastId = (answer: Answer) => answer.frames.all.findLast(({ id }) => id !== undefined)?.id as string;

/** Follows a call to its end elsewhere, from the last event that came here. */
async function resumeAt(session: SessionClient, node: number, from: Answer): Promise<Answer> {
  const id = lastId(from);
  from.destroy();
  return session.at(world.at(node)).get(id);
}

describe('the standalone stream of a session', () => {
  it('gives on another node exactly what was missed, in order, then goes on, its node being dead (RES-01)', async () => {
    const server = await newServer();
    const session = await world.open(A, { server });
    const first = await session.get();
    await add(server, 'tools', tool('one'));
    const { id } = await first.notified('notifications/tools/list_changed');
    await world.cluster.node(A).kill();
    await first.ended();
    await add(server, 'prompts', prompt('two'));
    await add(server, 'resources', { uri: 'docs://three', name: 'three', description: 'three', text: '' });
    await add(server, 'tools', tool('four'));
    const again = await session.at(world.at(B, server)).get(id);
    await again.notified('notifications/tools/list_changed');
    await add(server, 'prompts', prompt('five'));
    await again.notified('notifications/prompts/list_changed', () => again.messages.length >= 4);
    expect(methods(again.messages)).toEqual([
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
    ]);
    again.destroy();
  });

  it('holds list changes and resource updates that no living node could deliver', async () => {
    const server = await newServer();
    const session = await world.open(A, { server });
    await (await session.ask('resources/subscribe', { uri: 'docs://one' })).result();
    const first = await session.get();
    await add(server, 'tools', tool('seen'));
    await first.notified('notifications/tools/list_changed');
    const id = lastId(first);
    await world.cluster.node(A).kill();
    await add(server, 'tools', tool('unseen'));
    await world.cluster.admin('POST', `/tenants/acme/servers/${server}/notify`, { resourceUpdated: 'docs://one' });
    const again = await session.at(world.at(C, server)).get(id);
    await again.notified('notifications/resources/updated', ({ uri }) => uri === 'docs://one');
    expect(methods(again.messages)).toEqual(['notifications/tools/list_changed', 'notifications/resources/updated']);
    again.destroy();
  });

  it('is told on every node of a change made at any, listens too, once each', async () => {
    const server = await newServer();
    await world.cluster.node(A).kill();
    const nodes = [B, C];
    const sessions = await Promise.all(nodes.map((node) => world.open(node, { server })));
    const streams = await Promise.all(sessions.map((session) => session.get()));
    for (const session of sessions) await (await session.ask('resources/subscribe', { uri: 'docs://one' })).result();
    const listens = await Promise.all(
      nodes.map((node) =>
        new ModernClient(world.at(node, server), world.key).listen({
          toolsListChanged: true,
          resourceSubscriptions: ['docs://one'],
        }),
      ),
    );
    await add(server, 'tools', tool('new'));
    await world.cluster.admin('POST', `/tenants/acme/servers/${server}/notify`, { resourceUpdated: 'docs://one' });
    for (const stream of [...streams, ...listens]) {
      await stream.notified('notifications/tools/list_changed');
      await stream.notified('notifications/resources/updated');
      const changes = methods(stream.messages).filter((method) => !method.includes('subscriptions'));
      expect(changes.sort()).toEqual(['notifications/resources/updated', 'notifications/tools/list_changed']);
      stream.destroy();
    }
  });

  it('goes over to whoever asks last, on whatever node, without loss or double', async () => {
    const server = await newServer();
    const session = await world.open(A, { server });
    const reader = new ResumingReader(session.at(world.anywhere(server)), await session.get());
    for (let n = 1; n <= 20; n += 1) {
      await world.say(n, server);
      // Sometimes before what was said has come, sometimes after.
      if (n % 3 === 0) await reader.count(n);
      if (n % 2 === 0) reader.drop();
    }
    const said = (await reader.count(20)).map(({ params }) => params.data);
    expect(said).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(reader.resumes).toBeGreaterThan(3);
    await reader.stop();
  });
});

describe('the stream of a call', () => {
  it('is resumed with events of its own only, and not doubled (RES-02)', async () => {
    const session = await world.open(A);
    await world.cluster.node(A).kill();
    const calls = ['x', 'y'].map((at) =>
      session.at(world.at(B)).start('slow_charge', { at: `res-02-${at}` }, { meta: { progressToken: at } }),
    );
    const [x, y] = (await Promise.all(calls.map(({ answer }) => answer))) as [Answer, Answer];
    await Promise.all([x, y].map((answer) => answer.notified('notifications/progress')));
    const resumed = await resumeAt(session, C, x);
    for (const at of ['y', 'x']) (await world.backend.arrived(`/held/res-02-${at}`)).answer('go');
    await Promise.all([resumed.ended(), y.ended()]);
    const progress = (answer: Answer) =>
      answer.messages.map(({ params }) => (params ? [params.progressToken, params.progress] : 'response'));
    expect(progress(resumed)).toEqual([['x', 2], ['x', 3], 'response']);
    expect(progress(y)).toEqual([['y', 1], ['y', 2], ['y', 3], 'response']);
  });

  it('can be read to its end after the node that made it is dead (RES-04)', async () => {
    const session = await world.open(A);
    const first = await session
      .call('slow_charge', { at: 'no' }, { meta: { progressToken: 1 } })
      .catch(() => undefined);
    expect(first).toBeDefined();
    const answer = first as Answer;
    await answer.notified('notifications/progress');
    const id = lastId(answer);
    answer.destroy();
    // A second reader, so that the test knows when the answer was made.
    const witness = await session.at(world.at(B)).get(id);
    (await world.backend.arrived('/held/no')).answer('go');
    await witness.ended();
    await world.cluster.node(A).kill();
    const late = await session.at(world.at(C)).get(id);
    await late.ended();
    expect(late.messages.map(({ params, result }) => params?.progress ?? result.content[0].text)).toEqual([
      2,
      3,
      'charged',
    ]);
    expect((await session.at(world.at(B)).get(lastId(late))).status).toBe(204);
  });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'begins in %s, on whatever node, as that revision says (RES-06)',
    async (revision) => {
      const session = await world.open(A, { revision });
      await world.cluster.node(A).kill();
      const at = `res-06-${revision}`;
      const asked = session.at(world.at(B)).start('slow_charge', { at }, { meta: { progressToken: 1 } });
      const answer = await asked.answer;
      await answer.notified('notifications/progress');
      const primes = revision === '2025-11-25';
      const empty = (stream: Answer) => stream.frames.all.filter(({ id, data }) => id !== undefined && !data).length;
      expect([empty(answer), answer.frames.all[0]?.data === '']).toEqual([primes ? 1 : 0, primes]);
      const resumed = await resumeAt(session, C, answer);
      (await world.backend.arrived(`/held/${at}`)).answer('go');
      await resumed.ended();
      expect(empty(resumed)).toBe(primes ? 1 : 0);
      expect(resumed.messages.at(-1)).toMatchObject({ result: { content: [{ text: 'charged' }] } });
    },
  );

  it('has no ids in the newest revision, and no resume (RES-06)', async () => {
    const client = new ModernClient(world.at(B), world.key);
    const headers = { 'last-event-id': 'anything.1' };
    const answer = await client.call('steps', { n: 2 }, { meta: { progressToken: 1 }, headers });
    await answer.ended();
    expect(methods(answer.messages)).toEqual(['notifications/progress', 'notifications/progress', 'response']);
    expect(answer.frames.all.every(({ id, data }) => id === undefined && data !== '')).toBe(true);
  });

  it('carries the progress of its call from the first tick on, whatever the other streams are (PRG-01)', async () => {
    const session = await world.open(A);
    const standalone = await session.at(world.at(B)).get();
    for (let round = 0; round < 50; round += 1) {
      const there = session.at(world.at(round % 3));
      const answer = await there.call('steps', { n: 5 }, { meta: { progressToken: round } });
      await answer.ended();
      const ticks = answer.messages.map(({ params }) => params && [params.progressToken, params.progress]);
      expect(ticks).toEqual([...[1, 2, 3, 4, 5].map((tick) => [round, tick]), undefined]);
      if (round === 24)
        await world.cluster
          .node(A)
          .kill()
          .then(() => world.cluster.node(A).restart());
    }
    expect(standalone.messages).toEqual([]);
    standalone.destroy();
  });

  it('keeps the JSON type of a token through Redis (PRG-02)', async () => {
    const session = await world.open(A);
    await world.cluster.node(A).kill();
    for (const progressToken of [0, '0', '7', 7]) {
      const at = `prg-02-${typeof progressToken}-${progressToken}`;
      const asked = session.at(world.at(B)).start('slow_charge', { at }, { meta: { progressToken } });
      const answer = await asked.answer;
      await answer.notified('notifications/progress');
      const resumed = await resumeAt(session, C, answer);
      (await world.backend.arrived(`/held/${at}`)).answer('go');
      await resumed.ended();
      const tokens = resumed.messages.flatMap(({ params }) => (params ? [params.progressToken] : []));
      expect(tokens).toEqual([progressToken, progressToken]);
    }
  });
});
