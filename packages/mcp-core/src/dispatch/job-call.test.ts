import { describe, expect, it } from 'vitest';
import { InputNeeded } from '../ports/tool-runner.js';
import { fixtureTool, Gate, text } from '../testing/fixture-server.js';
import { jobWorld, TAKES_TASKS } from '../testing/job-world.js';
import type { Json } from '../testing/json.js';
import { turnOver } from '../testing/turn.js';
import type { CallRecord } from './host.js';

const KEY = 'dev.gantry/idempotencyKey';
const DECLARES = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const question = {
  method: 'elicitation/create' as const,
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } },
};
const YES = { sure: { action: 'accept', content: { sure: true } } };

function setUp() {
  const gate = new Gate();
  const seen: Json[] = [];
  const world = jobWorld([
    fixtureTool('inline', (_args, _context, { meta, asJob }) => {
      seen.push({ meta, asJob });
      return text(`run ${seen.length}`);
    }),
    fixtureTool('stateful', () => text('turn'), { stateful: true }),
    fixtureTool(
      'waits',
      async (_args, { signal }) => {
        await gate.pass(signal);
        return { content: [], structuredContent: ['a', 'list'] };
      },
      { job: true, task: 'optional' },
    ),
    fixtureTool(
      'asks',
      (_args, { inputs: { answers } }) => {
        seen.push(answers);
        return 'sure' in answers ? text(`run ${seen.length}`) : new InputNeeded({ sure: question });
      },
      { job: true },
    ),
  ]);
  const modern = (name: string, meta: object, more: object = {}) =>
    world.a.modern('tools/call', { name, ...more }, { meta: { ...DECLARES, ...meta } });
  return { ...world, gate, seen, modern };
}

describe('an idempotency key', () => {
  it('is a string that a person could write', async () => {
    const { modern, seen } = setUp();
    for (const key of ['', 'x'.repeat(257), 7, null, 'a\nb', 'a\u0000', { k: 1 }]) {
      const { status, message } = await modern('inline', { [KEY]: key }).finished();
      expect([status, message.error.code]).toEqual([200, -32602]);
      expect(message.error.message).toContain(KEY);
    }
    expect(seen).toEqual([]);
    expect((await modern('inline', { [KEY]: `${'é'.repeat(256)}` }).finished()).message.result.isError).toBe(false);
  });

  it('is not taken by a stateful tool, which depends on its turn', async () => {
    const { modern } = setUp();
    const { message } = await modern('stateful', { [KEY]: 'k' }).finished();
    expect([message.error.code, message.error.message]).toEqual([-32602, expect.stringContaining('stateful')]);
  });

  it('makes a job of what else runs inline, and is no business of the tool', async () => {
    const { modern, seen } = setUp();
    const call = async (meta: object) => (await modern('inline', meta).finished()).message.result.content[0].text;
    expect(await call({ [KEY]: 'k', 'example.com/trace': 't' })).toBe('run 1');
    expect(await call({ [KEY]: 'k' })).toBe('run 1');
    expect(await call({})).toBe('run 2');
    expect(seen).toEqual([
      { meta: { 'example.com/trace': 't' }, asJob: true },
      { meta: undefined, asJob: undefined },
    ]);
  });

  it('gives each caller the one end in the words of its own revision', async () => {
    const { a, b, gate, modern } = setUp();
    await b.open('2025-03-26');
    const first = modern('waits', { [KEY]: 'k' });
    await gate.entered();
    const joined = b.call('waits', undefined, { [KEY]: 'k' });
    await turnOver();
    expect(joined.done).toBe(false);
    gate.open();
    await Promise.all([first.finished(), joined.finished()]);
    await a.open('2025-11-25');
    const late = await a.call('waits', undefined, { [KEY]: 'k' }).finished();
    expect(gate.entries).toBe(1);
    expect(first.response.result).toMatchObject({ resultType: 'complete', structuredContent: ['a', 'list'] });
    expect(joined.response.result).toEqual({ content: text('["a","list"]').content, isError: false });
    expect(late.response.result.structuredContent).toEqual({ result: ['a', 'list'] });
  });

  it('leaves the job alone when one who has joined it gives up', async () => {
    const { b, gate, modern } = setUp();
    await b.open();
    const first = modern('waits', { [KEY]: 'k' });
    await gate.entered();
    const left = modern('waits', { [KEY]: 'k' });
    const cancelled = b.call('waits', undefined, { [KEY]: 'k' }, { id: 'mine' });
    await turnOver();
    left.disconnect();
    await b.notify('notifications/cancelled', { requestId: 'mine' }).finished();
    await cancelled.finished();
    expect(gate.signals.map(({ aborted }) => aborted)).toEqual([false]);
    gate.open();
    expect((await first.finished()).response.result.isError).toBe(false);
  });

  it('names each round of a call that asks: sent again, it asks the same, and its retry is run once', async () => {
    const { modern, seen } = setUp();
    const ask = async (more?: object) => (await modern('asks', { [KEY]: 'k' }, more).finished()).message.result;
    const asked = await ask();
    expect(asked.resultType).toBe('input_required');
    expect(await ask()).toEqual(asked);
    const retry = { requestState: asked.requestState, inputResponses: YES };
    const answered = await ask(retry);
    expect(answered.content[0].text).toBe('run 2');
    expect(await ask(retry)).toEqual(answered);
    expect(seen).toHaveLength(2);
  });

  it('of a call that asked is not for a caller who could not answer', async () => {
    const { b, modern } = setUp();
    await modern('asks', { [KEY]: 'k' }).finished();
    await b.open('2025-11-25', { elicitation: {} });
    const refused = await b.call('asks', undefined, { [KEY]: 'k' }).finished();
    expect(refused.response.error).toMatchObject({ code: -32602, message: expect.stringContaining(KEY) });
  });

  it('of a task gives the same task again, and its end to a call', async () => {
    const { gate, modern } = setUp();
    const create = async () => (await modern('waits', { ...TAKES_TASKS, [KEY]: 'k' }).finished()).message.result;
    const task = await create();
    await gate.entered();
    expect((await create()).taskId).toBe(task.taskId);
    const call = modern('waits', { [KEY]: 'k' });
    await turnOver();
    gate.open();
    expect((await call.finished()).response.result.structuredContent).toEqual(['a', 'list']);
    expect(gate.entries).toBe(1);
  });

  it('of a call gives no task: its end where that is an answer, else a refusal', async () => {
    const { b, gate, modern } = setUp();
    const call = modern('waits', { [KEY]: 'k' });
    await gate.entered();
    const asTask = modern('waits', { ...TAKES_TASKS, [KEY]: 'k' });
    await b.open();
    const params = { name: 'waits', task: {}, _meta: { [KEY]: 'k' } };
    expect((await b.request('tools/call', params).finished()).response.error.code).toBe(-32602);
    gate.open();
    expect((await asTask.finished()).response.result.resultType).toBe('complete');
    await call.finished();
    expect(gate.entries).toBe(1);
  });

  it('is passed over by a host that keeps no jobs', async () => {
    const { at, seen } = setUp();
    const client = at('c', { jobs: undefined });
    const call = () => client.modern('tools/call', { name: 'inline' }, { meta: { [KEY]: 'k' } }).finished();
    await call();
    expect((await call()).response.result.content[0].text).toBe('run 2');
    expect(seen.map(({ asJob }) => asJob)).toEqual([undefined, undefined]);
  });
});

describe('the record of a call', () => {
  it('that became a job names it, since the job is written down by itself; one that joined it stands alone', async () => {
    const records: CallRecord[] = [];
    const hooks = { afterCall: (record: CallRecord) => void records.push(record) };
    const { at, jobs } = setUp();
    const client = at('c', { hooks });
    const call = (meta: object) => client.modern('tools/call', { name: 'inline' }, { meta }).finished();
    await call({ [KEY]: 'k' });
    await call({ [KEY]: 'k' });
    await call({});
    await client.open();
    const created = await client.request('tools/call', { name: 'waits', task: {} }).finished();
    const calls = records.filter(({ method }) => method === 'tools/call');
    const { taskId } = created.response.result.task;
    expect(calls.map(({ status, jobId }) => [status, jobId])).toEqual([
      ['ok', expect.any(String)],
      ['ok', undefined],
      ['ok', undefined],
      ['ok', taskId],
    ]);
    expect(await jobs.get(client.host, calls[0]?.jobId ?? '')).toBeDefined();
  });
});

describe('whoever waits for a job', () => {
  it('finds its end in time although nobody told of it', async () => {
    const { clock, gate, jobs, modern } = setUp();
    const first = modern('waits', { [KEY]: 'k' });
    await gate.entered();
    const joined = modern('waits', { [KEY]: 'k' });
    await turnOver();
    jobs.silent = true;
    gate.open();
    await first.finished();
    await turnOver();
    expect(joined.done).toBe(false);
    clock.advance(10_000);
    expect((await joined.finished()).response.result.isError).toBe(false);
  });
});
