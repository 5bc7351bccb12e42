import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemoryChangeBus } from '../../memory/change-bus.js';
import { InMemoryEventLog } from '../../memory/event-log.js';
import { InMemoryNodeBus } from '../../memory/node-bus.js';
import { InMemorySessionStore } from '../../memory/session-store.js';
import type { CatalogueTool, ServerSettings } from '../../ports/catalogue.js';
import { InputNeeded } from '../../ports/tool-runner.js';
import type { InputRequest } from '../../protocol/types.js';
import { askingTools, asksFor, formFor, QUESTIONS, unanswered } from '../../testing/asking-tools.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, fixtureTools, Gate, text } from '../../testing/fixture-server.js';
import type { Json } from '../../testing/json.js';
import type { RecordingResponder } from '../../testing/recording-responder.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
const ADA = { action: 'accept', content: { name: 'Ada' } };
const PARIS = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' };
const HOME = { roots: [{ uri: 'file:///home' }] };

interface Options {
  readonly revision?: string;
  readonly capabilities?: object;
  readonly tools?: readonly CatalogueTool[];
  readonly settings?: Partial<ServerSettings>;
}

/** Two nodes on one set of stores, and one client that speaks to both. */
async function setUp({ revision = '2025-11-25', capabilities = ALL, tools = [], settings = {} }: Options = {}) {
  const clock = new FakeClock();
  const gate = new Gate();
  const shared = {
    clock,
    sessionStore: new InMemorySessionStore(clock),
    eventLog: new InMemoryEventLog(clock),
    nodeBus: new InMemoryNodeBus(),
    changeBus: new InMemoryChangeBus(),
  };
  const snapshot = fixtureSnapshot([...fixtureTools(gate), ...askingTools(), ...tools], settings);
  const a = new ScriptedClient(createMcpEndpoint({ ...shared, nodeId: 'a' }), { snapshot });
  const b = new ScriptedClient(createMcpEndpoint({ ...shared, nodeId: 'b' }), { snapshot });
  await a.open(revision, capabilities);
  b.sessionId = a.sessionId;
  b.revision = a.revision;
  return { a, b, gate, clock };
}

const questionsIn = ({ messages }: RecordingResponder): Json[] =>
  messages.filter((message) => message.method !== undefined && message.id !== undefined);

/** Resolves with the questions of a stream once there are so many. */
async function asked(answer: RecordingResponder, count = 1): Promise<Json[]> {
  await answer.until(() => questionsIn(answer).length >= count || answer.done);
  expect(questionsIn(answer).length).toBe(count);
  return questionsIn(answer);
}

function reply(client: ScriptedClient, id: unknown, result: object): RecordingResponder {
  return client.post({ jsonrpc: '2.0', id, result }, client.sessionHeaders);
}

const wordsOf = (answer: RecordingResponder) => answer.response.result.content[0].text as string;
const resultOf = (answer: RecordingResponder) => JSON.parse(wordsOf(answer));

async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

describe.each(['2025-06-18', '2025-11-25'])('%s: questions', (revision) => {
  it('are requests on the stream of the call, which opens for them (wire B5, B28)', async () => {
    const { a } = await setUp({ revision });
    const call = a.call('ask_name');
    const [question] = await asked(call);
    expect(question).toEqual({
      jsonrpc: '2.0',
      id: expect.any(String),
      method: 'elicitation/create',
      params: QUESTIONS.name.params,
    });
    const told = reply(a, question.id, ADA);
    expect([told.status, told.body]).toEqual([202, undefined]);
    await call.finished();
    expect(resultOf(call)).toEqual({ name: { result: ADA } });
    expect(call.messages.map(({ method, result }) => method ?? Object.keys(result)[0])).toEqual([
      'elicitation/create',
      'content',
    ]);
  });

  it('are answered through another node, several of one round together (wire B28)', async () => {
    const { a, b } = await setUp({ revision });
    const call = a.call('ask_several');
    const questions = await asked(call, 3);
    const answers: Json = { 'elicitation/create': ADA, 'sampling/createMessage': PARIS, 'roots/list': HOME };
    for (const { id, method } of questions.toReversed()) expect(reply(b, id, answers[method]).status).toBe(202);
    await call.finished();
    expect(resultOf(call)).toEqual({ name: { result: ADA }, capital: { result: PARIS }, places: { result: HOME } });
  });

  it('come round after round, with progress that only rises (wire B25)', async () => {
    const { a, b } = await setUp({ revision });
    const call = a.call('ask_in_turn', {}, { progressToken: 7 });
    const [first] = await asked(call);
    reply(b, first.id, { action: 'accept', content: { word1: 'one' } });
    const second = (await asked(call, 2))[1];
    reply(a, second.id, { action: 'decline' });
    await call.finished();
    expect(resultOf(call)).toMatchObject({
      answers: { step1: { result: { action: 'accept' } }, step2: { result: { action: 'decline' } } },
      requestState: { after: 2 },
      kept: { effect1: 1, effect2: 2 },
    });
    const progress = call.messages.flatMap(({ params }) => params?.progress ?? []);
    expect(progress).toEqual([1, 2, 3]);
  });

  it('have ids that no other question of the session has, on either node', async () => {
    const { a, b } = await setUp({ revision });
    const calls = [a, b, a, b].map((client) => client.call('ask_name'));
    const ids = (await Promise.all(calls.map((call) => asked(call)))).map(([question]) => question.id);
    expect(new Set(ids).size).toBe(4);
    for (const [at, id] of ids.entries()) reply(at < 2 ? b : a, id, { ...ADA, content: { name: `n${at}` } });
    await Promise.all(calls.map((call) => call.finished()));
    expect(calls.map((call) => resultOf(call).name.result.content.name)).toEqual(['n0', 'n1', 'n2', 'n3']);
  });

  it('give the run the error that a client answers with', async () => {
    const { a, b } = await setUp({ revision });
    const call = a.call('ask_capital');
    const [question] = await asked(call);
    const error = { code: -1, message: 'User rejected sampling request' };
    b.post({ jsonrpc: '2.0', id: question.id, error }, b.sessionHeaders);
    await call.finished();
    expect(resultOf(call)).toEqual({ capital: { error } });
  });

  it('are asked again when an answer does not fit', async () => {
    const { a } = await setUp({ revision });
    const call = a.call('ask_name');
    const [first] = await asked(call);
    reply(a, first.id, { action: 'accept', content: { name: 7 } });
    const second = (await asked(call, 2))[1];
    expect(second.id).not.toBe(first.id);
    reply(a, second.id, ADA);
    await call.finished();
    expect(resultOf(call)).toEqual({ name: { result: ADA } });
  });

  it('survive a client that leaves, and are answered after a resume elsewhere (wire B11, B14)', async () => {
    const { a, b } = await setUp({ revision });
    const call = a.call('ask_in_turn');
    const [first] = await asked(call);
    const lastId = call.frames.findLast(({ id }) => id !== undefined)?.id;
    call.disconnect();
    reply(b, first.id, { action: 'accept', content: { word1: 'one' } });
    await settle();
    const resumed = b.get({ 'last-event-id': lastId });
    const [second] = await asked(resumed);
    reply(b, second.id, { action: 'decline' });
    await resumed.finished();
    expect(resultOf(resumed).answers.step2.result.action).toBe('decline');
  });

  it('are taken back when the call is cancelled, and a late answer is harmless (wire B24)', async () => {
    const { a, b } = await setUp({ revision });
    const call = a.call('ask_several', {}, undefined, { id: 'x' });
    const ids = (await asked(call, 3)).map(({ id }) => id);
    b.notify('notifications/cancelled', { requestId: 'x', reason: 'enough' });
    await call.finished();
    const taken = call.messages.filter(({ method }) => method === 'notifications/cancelled');
    expect(taken.map(({ params }) => params.requestId)).toEqual(ids);
    expect(call.response).toBeUndefined();
    for (const id of ids) expect([reply(a, id, ADA).status, reply(b, id, ADA).status]).toEqual([202, 202]);
    expect((await a.call('add', { a: 1, b: 2 }).finished()).response.result.content[0].text).toBe('3');
  });

  it('end after ten minutes without an answer, in words, and are taken back', async () => {
    const { a, clock } = await setUp({ revision });
    const call = a.call('ask_several');
    const [first] = await asked(call, 3);
    reply(a, first.id, ADA);
    await settle();
    clock.advance(10 * 60_000);
    await call.finished();
    expect(call.response.result.isError).toBe(true);
    expect(wordsOf(call)).toBe('Tool ask_several was not answered by the client within 10 minutes.');
    expect(call.messages.filter(({ method }) => method === 'notifications/cancelled').length).toBe(2);
  });

  it('keep the connection alive while a person is waited for (RES-06)', async () => {
    const { a, clock } = await setUp({ revision });
    const call = a.call('ask_name');
    const [question] = await asked(call);
    for (let minute = 0; minute < 9; minute++) clock.advance(60_000);
    expect(call.frames.filter(({ comment }) => comment !== undefined).length).toBeGreaterThan(9);
    reply(a, question.id, ADA);
    await call.finished();
    expect(resultOf(call)).toEqual({ name: { result: ADA } });
  });

  it('end with the session, without a word more', async () => {
    const { a, b } = await setUp({ revision });
    const call = a.call('ask_name');
    const [question] = await asked(call);
    b.delete();
    await call.finished();
    expect(call.response).toBeUndefined();
    expect(reply(a, question.id, ADA).status).toBe(404);
  });

  it('are refused in words where the client has not declared what they take (wire B28)', async () => {
    const { a } = await setUp({ revision, capabilities: { roots: {} } });
    const call = await a.call('ask_several').finished();
    expect(call.streaming).toBe(false);
    expect(call.message.result.isError).toBe(true);
    expect(wordsOf(call)).toContain('has not declared elicitation.form, sampling');
  });

  it('are refused in words without a stream to ask on', async () => {
    const { a } = await setUp({ revision });
    const call = a.call('ask_name', {}, undefined, { headers: { accept: 'application/json' } });
    await call.finished();
    expect(wordsOf(call)).toBe('Tool ask_name cannot ask this client: it does not accept text/event-stream.');
  });

  it('are refused in words without a session', async () => {
    const client = new ScriptedClient(createMcpEndpoint(), {
      snapshot: fixtureSnapshot(askingTools(), { sessions: false }),
    });
    client.revision = revision;
    const call = await client.call('ask_places').finished();
    expect(call.message.result.isError).toBe(true);
    expect(wordsOf(call)).toBe('Tool ask_places cannot ask this client: the request came without a session.');
  });

  it('wait for notifications/initialized, wherever it is said (wire B21)', async () => {
    const { a, b } = await setUp({ revision });
    const init = { protocolVersion: revision, capabilities: ALL, clientInfo: { name: 'n', version: '1' } };
    const opened = a.post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: init });
    a.sessionId = (await opened.finished()).headers['mcp-session-id'];
    b.sessionId = a.sessionId;
    const call = a.call('ask_name');
    await settle();
    expect([call.status, call.messages]).toEqual([undefined, []]);
    a.notify('notifications/initialized');
    const [question] = await asked(call);
    reply(b, question.id, ADA);
    await call.finished();
    expect(resultOf(call)).toEqual({ name: { result: ADA } });
  });

  it('are given up when the client never says that it is initialized (wire B21)', async () => {
    const { a, clock } = await setUp({ revision, settings: { requestTimeoutMs: 3_000, keepAliveMs: 0 } });
    const init = { protocolVersion: revision, capabilities: ALL, clientInfo: { name: 'n', version: '1' } };
    const opened = a.post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: init });
    a.sessionId = (await opened.finished()).headers['mcp-session-id'];
    const call = a.call('ask_name');
    for (let second = 0; second < 10 && !call.done; second++) {
      await settle();
      clock.advance(1_000);
      await settle();
    }
    expect(wordsOf(call)).toContain('has not said notifications/initialized within 3000 ms');
  });

  it('do not hold the lane of stateful calls', async () => {
    const stateful = fixtureTool(
      'ask_stateful',
      (_args, context) => {
        if (context.state !== undefined) context.state.count = Number(context.state.count ?? 0) + 10;
        return unanswered({ name: formFor('name') }, context) ?? text(String(context.state?.count));
      },
      { stateful: true },
    );
    const { a } = await setUp({ revision, tools: [stateful] });
    const call = a.call('ask_stateful');
    const [question] = await asked(call);
    expect((await a.call('count').finished()).response.result.content[0].text).toBe('1');
    reply(a, question.id, ADA);
    await call.finished();
    // The run that ended with a question stored nothing.
    expect(wordsOf(call)).toBe('11');
  });

  it('cannot be answered by another session, or twice', async () => {
    const { a, b } = await setUp({ revision });
    const mine = { session: a.sessionId };
    const call = a.call('ask_name');
    const [question] = await asked(call);
    await b.open(revision, ALL);
    expect(b.sessionId).not.toBe(mine.session);
    for (const id of [question.id, 'a.unknown', 'zzz.unknown', '.', 'b', 7]) {
      expect(reply(b, id, { action: 'accept', content: { name: 'Eve' } }).status).toBe(202);
    }
    await settle();
    expect(call.done).toBe(false);
    reply(a, question.id, ADA);
    reply(a, question.id, { action: 'decline' });
    await call.finished();
    expect(resultOf(call)).toEqual({ name: { result: ADA } });
  });

  it('are refused in words when they never end', async () => {
    const endless = fixtureTool('endless', () => new InputNeeded({ q: formFor('x') }));
    const { a } = await setUp({ revision, tools: [endless] });
    const call = a.call('endless');
    for (let round = 1; round <= 20; round++) reply(a, (await asked(call, round)).at(-1)?.id, { action: 'decline' });
    await call.finished();
    expect(wordsOf(call)).toBe('Tool endless asked 20 times in a row and has no result yet.');
  });
});

it('answers that are too long together are refused in words', async () => {
  const { a } = await setUp();
  const call = a.call('ask_capital');
  const [question] = await asked(call);
  reply(a, question.id, { ...PARIS, content: { type: 'text', text: 'x'.repeat(4 * 1024 * 1024) } });
  await call.finished();
  expect(wordsOf(call)).toBe('Tool ask_capital was given answers of more than 4194304 characters.');
});

describe('questions by revision', () => {
  async function questionOf(revision: string, question: InputRequest): Promise<Json> {
    const { a } = await setUp({ revision, tools: [asksFor('ask', { it: question })] });
    const call = a.call('ask');
    await call.until(() => call.done || questionsIn(call).length > 0);
    return call.done ? wordsOf(call) : questionsIn(call)[0];
  }

  it('2025-11-25: url mode has an id of its own (wire B32)', async () => {
    const { params } = await questionOf('2025-11-25', QUESTIONS.page);
    expect(params).toEqual({ ...QUESTIONS.page.params, elicitationId: expect.any(String) });
    expect((await questionOf('2025-11-25', QUESTIONS.page)).params.elicitationId).not.toBe(params.elicitationId);
  });

  it('2025-06-18: there is no url mode, and sampling has no tools', async () => {
    expect(await questionOf('2025-06-18', QUESTIONS.page)).toContain('url mode needs a client of 2025-11-25');
    const params = { ...QUESTIONS.capital.params, tools: [{ name: 't', inputSchema: { type: 'object' } }] };
    expect(await questionOf('2025-06-18', { method: 'sampling/createMessage', params })).toContain(
      'sampling with tools',
    );
  });

  it('2025-03-26: roots and sampling are asked, forms are refused in words', async () => {
    expect(await questionOf('2025-03-26', QUESTIONS.places)).toMatchObject({ method: 'roots/list' });
    expect(await questionOf('2025-03-26', QUESTIONS.capital)).toMatchObject({ method: 'sampling/createMessage' });
    expect(await questionOf('2025-03-26', QUESTIONS.name)).toContain('elicitation needs a client of 2025-06-18');
  });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('%s: sampling and roots are answered', async (revision) => {
    const { a, b } = await setUp({ revision });
    const calls = [a.call('ask_capital'), a.call('ask_places')] as const;
    reply(b, (await asked(calls[0]))[0]?.id, PARIS);
    reply(b, (await asked(calls[1]))[0]?.id, HOME);
    await Promise.all(calls.map((call) => call.finished()));
    expect(calls.map(resultOf)).toEqual([{ capital: { result: PARIS } }, { places: { result: HOME } }]);
  });
});
