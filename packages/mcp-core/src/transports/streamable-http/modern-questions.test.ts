import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { CallRecord, HostContext } from '../../dispatch/host.js';
import { InMemoryStateSealer } from '../../memory/state-sealer.js';
import type { CatalogueTool } from '../../ports/catalogue.js';
import { InputNeeded } from '../../ports/tool-runner.js';
import { askingTools, formFor, QUESTIONS, unanswered } from '../../testing/asking-tools.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, fixtureTools, text } from '../../testing/fixture-server.js';
import type { Json } from '../../testing/json.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
const ADA = { action: 'accept', content: { name: 'Ada' } };
const PARIS = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' };
const HOME = { roots: [{ uri: 'file:///home' }] };
const INVALID = { code: -32602, message: 'Invalid params: requestState is not valid for this request' };

/** Two nodes of one host, which share their sealer and nothing else. */
function setUp({
  tools = [],
  sealer = new InMemoryStateSealer(),
}: {
  tools?: CatalogueTool[];
  sealer?: InMemoryStateSealer;
} = {}) {
  const clock = new FakeClock();
  const records: CallRecord[] = [];
  let runs = 0;
  const snapshot = fixtureSnapshot([...fixtureTools(), ...askingTools(), ...tools]);
  const counted: HostContext['runner'] = {
    run: (call, context) => {
      runs++;
      return (call.tool.runner as (...all: unknown[]) => never)(call.arguments, context, call);
    },
  };
  const host = { runner: counted, hooks: { afterCall: (record: CallRecord) => records.push(record) } };
  const node = (nodeId: string, other: Partial<HostContext> = {}) => {
    const client = new ScriptedClient(createMcpEndpoint({ clock, stateSealer: sealer, nodeId }), {
      snapshot,
      host: { ...host, ...other },
    });
    return async (name: string, params: Json = {}, capabilities: object = ALL, method = 'tools/call') => {
      const answer = client.modern(method, { name, ...params }, { meta: { [CAPABILITIES]: capabilities } });
      return { status: (await answer.finished()).status, ...answer.response } as Json;
    };
  };
  return { a: node('a'), b: node('b'), node, clock, records, runs: () => runs };
}

const retry = (asked: Json, inputResponses: Json, more: object = {}): Json => ({
  requestState: asked.result.requestState,
  inputResponses,
  ...more,
});
const answersOf = (answer: Json) => JSON.parse(answer.result.content[0].text);

describe('2026-07-28: questions', () => {
  it('end the request as input_required, in its own shape and without cache hints (wire C40)', async () => {
    const { a } = setUp();
    const { status, result } = await a('ask_name');
    expect(status).toBe(200);
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: { name: QUESTIONS.name },
      requestState: expect.stringMatching(/^[!-~]+$/),
      _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'fixture' }) },
    });
  });

  it('are answered on another node, of every kind in one round (wire C42)', async () => {
    const { a, b } = setUp();
    const asked = await a('ask_several');
    expect(Object.keys(asked.result.inputRequests)).toEqual(['name', 'capital', 'places']);
    const done = await b('ask_several', retry(asked, { name: ADA, capital: PARIS, places: HOME }));
    expect(done.result.resultType).toBe('complete');
    expect(answersOf(done)).toEqual({ name: { result: ADA }, capital: { result: PARIS }, places: { result: HOME } });
  });

  it('come round after round, with what was answered and kept before (wire C42)', async () => {
    const { a, b } = setUp();
    const first = await a('ask_in_turn');
    const second = await b('ask_in_turn', retry(first, { step1: { action: 'accept', content: { word1: 'one' } } }));
    expect(Object.keys(second.result.inputRequests)).toEqual(['step2']);
    expect(second.result.requestState).not.toBe(first.result.requestState);
    const done = await a('ask_in_turn', retry(second, { step2: { action: 'decline' } }));
    expect(answersOf(done)).toEqual({
      answers: {
        step1: { result: { action: 'accept', content: { word1: 'one' } } },
        step2: { result: { action: 'decline' } },
      },
      requestState: { after: 2 },
      kept: { effect1: 1, effect2: 2 },
    });
  });

  it('are asked again when an answer is missing or does not fit, and other keys are ignored (wire C42)', async () => {
    const { a } = setUp();
    const unusable = [
      undefined,
      null,
      12345,
      [],
      {},
      { wrong_key: ADA },
      { name: 12345 },
      { name: { action: 'perhaps' } },
      { name: { action: 'accept' } },
      { name: { action: 'accept', content: {} } },
      { name: { action: 'accept', content: { name: 7 } } },
    ];
    for (const inputResponses of unusable) {
      const asked = await a('ask_name');
      for (const params of [retry(asked, inputResponses), { inputResponses }]) {
        const again = await a('ask_name', params);
        expect(again.result.resultType).toBe('input_required');
        expect(Object.keys(again.result.inputRequests)).toEqual(['name']);
      }
    }
    const done = await a(
      'ask_name',
      retry(await a('ask_name'), { name: ADA, other: { action: 'accept', content: {} } }),
    );
    expect(answersOf(done)).toEqual({ name: { result: ADA } });
  });

  it('keep the answers that fit while the rest is asked again (wire C42)', async () => {
    const { a, b } = setUp();
    const asked = await a('ask_several');
    const again = await b('ask_several', retry(asked, { name: ADA, capital: { model: 'm' }, places: { roots: [{}] } }));
    expect(Object.keys(again.result.inputRequests)).toEqual(['capital', 'places']);
    const done = await a('ask_several', retry(again, { capital: PARIS, places: HOME }));
    expect(Object.keys(answersOf(done))).toEqual(['name', 'capital', 'places']);
  });

  it('take answers from a client that has lost the state, when they fit what is asked (wire C42)', async () => {
    const { a, runs } = setUp();
    await a('ask_name');
    const done = await a('ask_name', { inputResponses: { name: ADA, unknown: ADA } });
    expect(answersOf(done)).toEqual({ name: { result: ADA } });
    expect(runs()).toBe(3);
  });

  it('tell a run the bare answers of its round, and nothing before it was answered', async () => {
    const seen: Json[] = [];
    const look = fixtureTool('look', (_args, { inputs }) => {
      seen.push(inputs.responses);
      return unanswered({ name: formFor('name'), again: formFor('again') }, { inputs } as never) ?? text('done');
    });
    const { a } = setUp({ tools: [look] });
    const first = await a('look');
    const second = await a('look', retry(first, { name: ADA }));
    await a('look', retry(second, { again: { action: 'cancel', content: { again: 'x' } } }));
    expect(seen).toEqual([undefined, { name: ADA }, { again: { action: 'cancel' } }]);
  });

  it('may be none: the client is asked to come again (wire C40)', async () => {
    const later = fixtureTool('later', (_args, { inputs }) =>
      inputs.requestState === undefined ? new InputNeeded({}, { step: 1 }) : text(JSON.stringify(inputs.requestState)),
    );
    const { a, b } = setUp({ tools: [later] });
    const asked = await a('later');
    expect(Object.keys(asked.result).sort()).toEqual(['_meta', 'requestState', 'resultType']);
    expect(answersOf(await b('later', { requestState: asked.result.requestState }))).toEqual({ step: 1 });
  });

  it('follow progress on a stream as its last message (wire C40, PRG)', async () => {
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot(askingTools()) });
    const answer = client.modern(
      'tools/call',
      { name: 'ask_in_turn' },
      { meta: { [CAPABILITIES]: ALL, progressToken: 0 } },
    );
    await answer.finished();
    expect(answer.messages.map(({ method, result }) => method ?? result.resultType)).toEqual([
      'notifications/progress',
      'input_required',
    ]);
  });
});

describe('2026-07-28: requestState', () => {
  it('opens for nobody else, nothing else and not for ever, and then nothing runs (wire C43, MOD-08)', async () => {
    const { a, b, node, clock, runs } = setUp();
    const asked = await a('ask_name', { arguments: { order: 1, list: [1, { x: 1, y: 2 }] } });
    const answered = retry(asked, { name: ADA }, { arguments: { list: [1, { y: 2, x: 1 }], order: 1 } });
    const before = runs();
    const attempts = [
      b('ask_capital', answered),
      b('ask_name', { ...answered, arguments: { order: 2, list: [1, { x: 1, y: 2 }] } }),
      b('ask_name', { ...answered, arguments: undefined }),
      node('b', { principal: { kind: 'key', id: 'k2', scopes: [] } })('ask_name', answered),
      node('b', { principal: { kind: 'user', id: 'k1', scopes: [] } })('ask_name', answered),
      node('b', { owner: 'other' })('ask_name', answered),
      node('b', { server: 'sibling' })('ask_name', answered),
      b('ask_name', { ...answered, requestState: altered(asked.result.requestState) }),
      b('ask_name', { ...answered, requestState: `${asked.result.requestState}-tampered` }),
      b('ask_name', { ...answered, requestState: 7 }),
      b('ask_name', { ...answered, requestState: null }),
      b('ask_name', { ...answered, requestState: 'x'.repeat(1_000_000) }),
    ];
    for (const attempt of await Promise.all(attempts)) expect([attempt.status, attempt.error]).toEqual([200, INVALID]);
    clock.advance(11 * 60_000);
    expect((await b('ask_name', answered)).error).toEqual(INVALID);
    expect(runs()).toBe(before);
    const fresh = await a('ask_name', { arguments: answered.arguments });
    clock.advance(9 * 60_000);
    const done = await b('ask_name', retry(fresh, { name: ADA }, { arguments: answered.arguments }));
    expect(answersOf(done)).toEqual({ name: { result: ADA } });
  });

  it('of another host does not open', async () => {
    const asked = await setUp().a('ask_name');
    expect((await setUp().a('ask_name', retry(asked, { name: ADA }))).error).toEqual(INVALID);
  });

  it('shows nothing of what it holds (MOD-08)', async () => {
    const secret = fixtureTool('secret', () => new InputNeeded({ name: formFor('name') }, { token: 'hush-hush' }));
    const { result } = await setUp({ tools: [secret] }).a('secret');
    expect(Buffer.from(result.requestState, 'base64').toString('latin1')).not.toContain('hush');
  });
});

describe('2026-07-28: what may be asked', () => {
  const needs: [string, object, object][] = [
    ['ask_name', {}, { elicitation: { form: {} } }],
    ['ask_name', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['ask_page', { elicitation: {} }, { elicitation: { url: {} } }],
    ['ask_capital', { elicitation: {} }, { sampling: {} }],
    ['ask_places', { roots: null }, { roots: {} }],
    ['ask_several', { sampling: {} }, { elicitation: { form: {} }, roots: {} }],
    ['with_tools', { sampling: {} }, { sampling: { tools: {}, context: {} } }],
    ['with_tools', { sampling: { tools: {} } }, { sampling: { context: {} } }],
  ];
  const params = { ...QUESTIONS.capital.params, tools: [], includeContext: 'thisServer' };
  const withTools = fixtureTool(
    'with_tools',
    (_args, context) => unanswered({ x: { method: 'sampling/createMessage', params } }, context) ?? text('done'),
  );

  it.each(needs)('%s is 400 -32021 for a client that declares %j (wire C41)', async (name, capabilities, required) => {
    const { a, records } = setUp({ tools: [withTools] });
    const { status, error } = await a(name, {}, capabilities);
    expect([status, error.code, error.data]).toEqual([400, -32021, { requiredCapabilities: required }]);
    expect(records.at(-1)?.status).toBe('refused');
  });

  it('is what the current request declares, whatever an earlier one did (wire C12, C41)', async () => {
    const { a } = setUp();
    const asked = await a('ask_in_turn');
    const step1 = { step1: { action: 'accept', content: { word1: 'one' } } };
    expect((await a('ask_in_turn', retry(asked, step1), {})).error.code).toBe(-32021);
    expect((await a('ask_name', {}, { elicitation: {} })).result.resultType).toBe('input_required');
    expect((await a('ask_page', {}, { elicitation: { url: {} } })).result.resultType).toBe('input_required');
  });

  it('is refused in words when the question is none, naming its key', async () => {
    const bad = fixtureTool('bad', () => new InputNeeded({ mine: { method: 'elicitation/create', params: {} } }));
    const { result } = await setUp({ tools: [bad] }).a('bad');
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(result.content[0].text).toBe(
      'Tool bad asked something that cannot be asked: question "mine": params.message must be a text.',
    );
  });

  it('is refused in words above 16 questions, 64 KiB of state and 20 rounds', async () => {
    const many = fixtureTool(
      'many',
      () => new InputNeeded(Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`q${at}`, formFor('x')]))),
    );
    const large = fixtureTool('large', () => new InputNeeded({ q: formFor('x') }, 'x'.repeat(64 * 1024)));
    const endless = fixtureTool('endless', () => new InputNeeded({ q: formFor('x') }));
    const { a } = setUp({ tools: [many, large, endless] });
    expect((await a('many')).result.content[0].text).toContain('asked 17 questions at once; the limit is 16');
    expect((await a('large')).result.content[0].text).toContain('keeps too much between its rounds');
    let answer = await a('endless');
    let rounds = 0;
    while (answer.result.resultType === 'input_required') {
      rounds++;
      answer = await a('endless', retry(answer, { q: { action: 'decline' } }));
    }
    expect(rounds).toBe(20);
    expect(answer.result).toMatchObject({ isError: true });
    expect(answer.result.content[0].text).toContain('asked 20 times in a row');
  });
});

/** The same text with one character of its middle changed. */
function altered(sealed: string): string {
  const at = sealed.length >> 1;
  return `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
}
