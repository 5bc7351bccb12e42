import { describe, expect, it } from 'vitest';
import { InputNeeded } from '../../ports/tool-runner.js';
import { fixtureTool, Gate, text } from '../../testing/fixture-server.js';
import { jobWorld, TAKES_TASKS } from '../../testing/job-world.js';
import { turnOver } from '../../testing/turn.js';

const ASKS = {
  message: 'Delete it?',
  requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
};

function tools(gate: Gate) {
  return [
    fixtureTool('plain', () => text('inline')),
    fixtureTool('quick', () => text('quick'), { job: true, task: 'optional' }),
    fixtureTool(
      'ticks',
      async (_args, context) => {
        for (let tick = 1; tick <= 5; tick++) context.progress(tick, 5);
        await gate.pass(context.signal);
        return text('ticked');
      },
      { job: true, task: 'optional' },
    ),
    fixtureTool(
      'silent',
      async (args, context) => {
        await gate.pass(context.signal);
        if ('progressToken' in args) context.progress(1, 1);
        return text('at last');
      },
      { job: true },
    ),
    fixtureTool('fails', () => ({ ...text('no luck'), isError: true }), { job: true, task: 'required' }),
    fixtureTool(
      'confirm',
      (_args, { inputs }) => {
        const answer = inputs.answers.sure;
        if (answer === undefined) return new InputNeeded({ sure: { method: 'elicitation/create', params: ASKS } });
        return text(`answered ${JSON.stringify('result' in answer ? answer.result : answer.error)}`);
      },
      { job: true, task: 'optional' },
    ),
  ];
}

const resultText = (message: { result?: { content?: { text: string }[] } }) => message.result?.content?.[0]?.text;

describe('a call that runs as a job, in a session', () => {
  it('opens its stream at once in 2025-11-25, and says progress and answer on it (PRG-01)', async () => {
    const gate = new Gate();
    const { a } = jobWorld(tools(gate));
    await a.open();
    const answer = a.call('ticks', {}, { progressToken: 0 });
    await gate.entered();
    await turnOver();
    expect(answer.frames[0]).toMatchObject({ id: expect.any(String), data: '' });
    expect(answer.messages.map(({ params }) => params)).toEqual(
      [1, 2, 3, 4, 5].map((progress) => ({ progressToken: 0, progress, total: 5 })),
    );
    gate.open();
    await answer.finished();
    expect(resultText(answer.messages.at(-1))).toBe('ticked');
  });

  it('names its stream when its job is stored, not before: nobody would bring the end of it', async () => {
    const gate = new Gate();
    const { a, jobs } = jobWorld(tools(gate));
    await a.open();
    const submit = jobs.submit.bind(jobs);
    const store = new Gate();
    jobs.submit = async (submission) => {
      await store.pass(new AbortController().signal);
      return submit(submission);
    };
    const answer = a.call('ticks');
    await store.entered();
    await turnOver();
    expect([answer.streaming, answer.frames]).toEqual([false, []]);
    store.open();
    await gate.entered();
    await turnOver();
    expect(answer.frames[0]).toMatchObject({ id: expect.any(String), data: '' });
    gate.open();
    await answer.finished();
    expect(resultText(answer.messages.at(-1))).toBe('ticked');
  });

  it('opens a stream that ends with its node, where it joins an older call', async () => {
    const gate = new Gate();
    const { a, b, eventLog } = jobWorld(tools(gate));
    await a.open();
    const key = { 'dev.gantry/idempotencyKey': 'again' };
    a.call('ticks', {}, key);
    await gate.entered();
    b.sessionId = a.sessionId;
    const opened: unknown[] = [];
    const open = eventLog.open.bind(eventLog);
    eventLog.open = (session, stream, spec) => {
      opened.push(spec.call);
      return open(session, stream, spec);
    };
    const joined = b.call('ticks', {}, key);
    await turnOver();
    await turnOver();
    expect(joined.frames[0]).toMatchObject({ id: expect.any(String), data: '' });
    expect(opened.at(-1)).toMatchObject({ node: 'b' });
    gate.open();
    await joined.finished();
    expect(resultText(joined.messages.at(-1))).toBe('ticked');
  });

  it('is answered with JSON where nothing was said before, in revisions that do not prime (RES-06)', async () => {
    const { a } = jobWorld(tools(new Gate()));
    await a.open('2025-06-18');
    const answer = await a.call('quick').finished();
    expect([answer.streaming, resultText(answer.message)]).toEqual([false, 'quick']);
  });

  it.each(['2025-06-18', '2025-11-25'])(
    'is answered with JSON, and nothing before, for a client of %s that takes only that',
    async (revision) => {
      const gate = new Gate();
      const { a } = jobWorld(tools(gate));
      await a.open(revision);
      const answer = a.call('ticks', {}, { progressToken: 1 }, { headers: { accept: 'application/json' } });
      await gate.entered();
      gate.open();
      await answer.finished();
      expect([answer.streaming, answer.status, resultText(answer.message)]).toEqual([false, 200, 'ticked']);
    },
  );

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'is kept alive while it is silent, and answered on the stream that was opened for that (%s)',
    async (revision) => {
      const gate = new Gate();
      const { a, clock } = jobWorld(tools(gate));
      await a.open(revision);
      const calls = [a.call('silent'), a.call('silent', { progressToken: 1 }, { progressToken: 1 })];
      await gate.entered(2);
      await turnOver();
      clock.advance(20_000);
      expect(calls.map(({ streaming }) => streaming)).toEqual([true, true]);
      gate.open();
      for (const call of calls) expect(resultText((await call.finished()).messages.at(-1))).toBe('at last');
      expect(calls[1]?.messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
    },
  );

  it('says no progress without a token (PRG-03)', async () => {
    const gate = new Gate();
    const { a } = jobWorld(tools(gate));
    await a.open('2025-06-18');
    const answer = a.call('ticks');
    await gate.entered();
    gate.open();
    await answer.finished();
    expect([answer.messages, resultText(answer.message)]).toEqual([[], 'ticked']);
  });

  it('goes on when its client leaves, and is resumed on another node (CAN-02, RES-04)', async () => {
    const gate = new Gate();
    const { a, b } = jobWorld(tools(gate));
    await a.open();
    const answer = a.call('ticks', {}, { progressToken: 'p' });
    await gate.entered();
    await turnOver();
    const second = answer.frames[2]?.id;
    answer.disconnect();
    await turnOver();
    expect(gate.signals[0]?.aborted).toBe(false);
    b.sessionId = a.sessionId;
    b.revision = a.revision;
    const resumed = b.get({ 'last-event-id': second });
    await turnOver();
    gate.open();
    await resumed.finished();
    expect(resumed.messages.slice(0, -1).map(({ params }) => params.progress)).toEqual([3, 4, 5]);
    expect(resultText(resumed.messages.at(-1))).toBe('ticked');
  });

  it('is cancelled through any node, and ends without an answer', async () => {
    const gate = new Gate();
    const { a, b } = jobWorld(tools(gate));
    await a.open();
    const answer = a.call('ticks', {}, {}, { id: 77 });
    await gate.entered();
    b.sessionId = a.sessionId;
    b.revision = a.revision;
    await b.notify('notifications/cancelled', { requestId: 77, reason: 'enough' }).finished();
    expect(gate.signals[0]?.aborted).toBe(true);
    gate.open();
    await answer.finished();
    expect(answer.messages).toEqual([]);
  });

  it.each([
    ['2025-06-18', {}],
    ['2025-11-25', { headers: { accept: 'application/json' } }],
  ] as const)(
    'is told, where nothing was shown yet, that its stream has ended without an answer (%s, %j)',
    async (revision, how) => {
      const gate = new Gate();
      const { a, jobs } = jobWorld(tools(gate));
      await a.open(revision);
      const answer = a.call('silent', {}, {}, { id: 77, ...how });
      await gate.entered();
      await jobs.cancel({ server: 'fixture', owner: 'owner' }, jobs.ids.at(-1) as string);
      const { response: message } = await answer.finished();
      expect([message.id, message.error]).toEqual([
        77,
        { code: -32603, message: expect.stringMatching(/^Outcome unknown/) },
      ]);
    },
  );

  it('is stopped with the node that says so, where its client could not resume it', async () => {
    const gate = new Gate();
    const { a, clock } = jobWorld(tools(gate));
    await a.open('2025-06-18');
    const answer = a.call('silent', {}, {}, { headers: { accept: 'application/json' } });
    await gate.entered();
    const closed = a.endpoint.close({ graceMs: 1_000 });
    await turnOver();
    clock.advance(1_000);
    await closed;
    expect((await answer.finished()).message.error).toMatchObject({ message: 'The server is shutting down' });
    await turnOver();
    expect(gate.signals[0]?.aborted).toBe(true);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('away'))],
    ['knows nothing of it', () => undefined],
  ])('is refused, and no job made, when the log that would show it %s', async (_how, follow) => {
    const { a, jobs, eventLog } = jobWorld(tools(new Gate()));
    await a.open();
    eventLog.follow = follow as never;
    let submissions = 0;
    const submit = jobs.submit.bind(jobs);
    jobs.submit = (submission) => {
      submissions += 1;
      return submit(submission);
    };
    const { response } = await a.call('quick').finished();
    expect([response.error, submissions]).toEqual([
      { code: -32603, message: expect.stringMatching(/cannot be kept/) },
      0,
    ]);
  });

  it('asks on its stream, holds nothing meanwhile, and goes on with an answer to any node', async () => {
    const { a, b } = jobWorld(tools(new Gate()));
    await a.open('2025-11-25', { elicitation: {} });
    const answer = a.call('confirm');
    await turnOver();
    const [question] = answer.messages;
    expect(question).toMatchObject({ method: 'elicitation/create', id: expect.stringMatching(/^job\./) });
    b.sessionId = a.sessionId;
    b.revision = a.revision;
    const result = { action: 'accept', content: { confirm: true } };
    await b.post({ jsonrpc: '2.0', id: question.id, result }, b.sessionHeaders).finished();
    await answer.finished();
    expect(resultText(answer.messages.at(-1))).toContain('"confirm":true');
  });

  it.each(['2025-03-26', '2025-11-25'])(
    'joins the running call of the same idempotency key, and refuses other arguments under it, in %s',
    async (revision) => {
      const gate = new Gate();
      const { a, b } = jobWorld(tools(gate));
      await a.open(revision);
      b.sessionId = a.sessionId;
      b.revision = a.revision;
      const meta = { 'dev.gantry/idempotencyKey': 'k-1' };
      const first = a.call('ticks', {}, meta);
      await gate.entered();
      const again = b.call('ticks', {}, meta);
      const other = await a.call('ticks', { more: 1 }, meta).finished();
      expect((other.messages.at(-1) ?? other.message).error.code).toBe(-32602);
      gate.open();
      await Promise.all([first.finished(), again.finished()]);
      expect(gate.entries).toBe(1);
      expect(resultText(again.messages.at(-1) ?? again.message)).toBe('ticked');
    },
  );
});

describe('calls that run as jobs, in a batch', () => {
  it('are answered in their places beside those that do not (wire B9)', async () => {
    const { a } = jobWorld(tools(new Gate()));
    await a.open('2025-03-26');
    const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
    const answer = await a.post([call(1, 'quick'), call(2, 'plain'), call(3, 'quick')], a.sessionHeaders).finished();
    const messages = answer.message ?? answer.messages;
    expect(
      messages.map((message: Parameters<typeof resultText>[0] & { id: number }) => [message.id, resultText(message)]),
    ).toEqual([
      [1, 'quick'],
      [2, 'inline'],
      [3, 'quick'],
    ]);
  });
});

describe('a call that runs as a job, in 2026-07-28', () => {
  it('is answered with JSON, or as a stream once something is said', async () => {
    const gate = new Gate();
    const { a } = jobWorld(tools(gate));
    const quick = await a.modern('tools/call', { name: 'quick' }).finished();
    expect(resultText(quick.message)).toBe('quick');
    const ticks = a.modern('tools/call', { name: 'ticks' }, { meta: { progressToken: '7' } });
    await gate.entered();
    gate.open();
    await ticks.finished();
    expect(ticks.messages.slice(0, -1).map(({ params }) => params.progress)).toEqual([1, 2, 3, 4, 5]);
    expect(ticks.messages[0].params.progressToken).toBe('7');
    expect(resultText(ticks.messages.at(-1))).toBe('ticked');
  });

  it('is given up with its connection, unless it may be sent again (CAN-03)', async () => {
    const gate = new Gate();
    const { a } = jobWorld(tools(gate));
    const answer = a.modern('tools/call', { name: 'ticks' });
    await gate.entered();
    answer.disconnect();
    await turnOver();
    expect(gate.signals[0]?.aborted).toBe(true);
    const keyed = a.modern('tools/call', { name: 'ticks' }, { meta: { 'dev.gantry/idempotencyKey': 'k' } });
    await gate.entered(2);
    keyed.disconnect();
    await turnOver();
    expect(gate.signals[1]?.aborted).toBe(false);
  });

  it('hands its questions back, and the retry is a new job that finds the answers', async () => {
    const { a } = jobWorld(tools(new Gate()));
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const asked = await a.modern('tools/call', { name: 'confirm' }, { meta }).finished();
    expect(asked.message.result.resultType).toBe('input_required');
    const { requestState } = asked.message.result;
    const inputResponses = { sure: { action: 'accept', content: { confirm: false } } };
    const retried = await a
      .modern('tools/call', { name: 'confirm', requestState, inputResponses }, { meta })
      .finished();
    expect(resultText(retried.message)).toContain('"confirm":false');
  });
});

describe('tasks of 2026-07-28', () => {
  it('are made for clients with the extension only (wire C50)', async () => {
    const { a } = jobWorld(tools(new Gate()));
    const plain = await a.modern('tools/call', { name: 'quick' }).finished();
    expect(plain.message.result.resultType).toBe('complete');
    const refused = await a.modern('tools/call', { name: 'fails' }).finished();
    expect([refused.status, refused.message.error.code]).toEqual([400, -32021]);
    const created = await a.modern('tools/call', { name: 'quick' }, { meta: TAKES_TASKS }).finished();
    expect(created.message.result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
  });

  it('are read on any node, with their result inside (wire C51)', async () => {
    const { a, b, at } = jobWorld(tools(new Gate()));
    const { taskId } = (await a.modern('tools/call', { name: 'fails' }, { meta: TAKES_TASKS }).finished()).message
      .result;
    await turnOver();
    const ask = (client: typeof a) =>
      client.modern('tasks/get', { taskId }, { meta: TAKES_TASKS, headers: { 'mcp-name': taskId } }).finished();
    const shown = (await ask(b)).message.result;
    expect(shown).toMatchObject({ resultType: 'complete', status: 'completed', result: { isError: true } });
    const stranger = await ask(at('c', { owner: 'somebody else' }));
    expect(stranger.message.error.code).toBe(-32602);
  });

  it('ask by inputRequests and go on by tasks/update, ignoring what answers nothing (wire C53)', async () => {
    const { a, b } = jobWorld(tools(new Gate()));
    const { taskId } = (await a.modern('tools/call', { name: 'confirm' }, { meta: TAKES_TASKS }).finished()).message
      .result;
    await turnOver();
    const named = { meta: TAKES_TASKS, headers: { 'mcp-name': taskId } };
    const get = async () => (await b.modern('tasks/get', { taskId }, named).finished()).message.result;
    expect(await get()).toMatchObject({ status: 'input_required', inputRequests: { sure: { params: ASKS } } });
    const update = (inputResponses: object) => a.modern('tasks/update', { taskId, inputResponses }, named).finished();
    expect((await update({ other: 1, sure: { nonsense: true } })).message.result).not.toHaveProperty('taskId');
    expect((await get()).status).toBe('input_required');
    await update({ sure: { action: 'accept', content: { confirm: true } } });
    await turnOver();
    expect(await get()).toMatchObject({ status: 'completed', result: { isError: false } });
  });

  it('are told of on a listen stream that names them', async () => {
    const gate = new Gate();
    const { a, b } = jobWorld(tools(gate));
    const { taskId } = (await a.modern('tools/call', { name: 'ticks' }, { meta: TAKES_TASKS }).finished()).message
      .result;
    await gate.entered();
    const notifications = { taskIds: [taskId, 'not-a-task'] };
    const listening = b.modern('subscriptions/listen', { notifications }, { meta: TAKES_TASKS });
    await turnOver();
    expect(listening.messages[0].params.notifications).toEqual({ taskIds: [taskId] });
    gate.open();
    await listening.until(() => listening.messages.some(({ params }) => params.status === 'completed'));
    expect(listening.messages.at(-1)).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'completed' },
    });
  });
});

describe('tasks of 2025-11-25', () => {
  it('are made when the call asks for one, declared and listed (wire B31)', async () => {
    const { a } = jobWorld(tools(new Gate()));
    const opened = await a.open();
    expect(opened.message.result.capabilities.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
    const call = (name: string, task?: object) => a.request('tools/call', { name, ...(task && { task }) }).finished();
    expect((await call('plain', {})).message.error.code).toBe(-32601);
    expect((await call('fails')).message.error.code).toBe(-32601);
    const { task } = (await call('fails', { ttl: 60_000 })).message.result;
    expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: expect.any(Number) });
    await turnOver();
    const got = (await a.request('tasks/get', { taskId: task.taskId }).finished()).message.result;
    expect(got.status).toBe('failed');
    const list = (await a.request('tasks/list').finished()).message.result;
    expect(list.tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual([task.taskId]);
    const over = await a.request('tasks/cancel', { taskId: task.taskId }).finished();
    expect(over.message.error.code).toBe(-32602);
  });

  it('answer tasks/result when they end, and ask on its stream meanwhile (wire B31)', async () => {
    const { a, b } = jobWorld(tools(new Gate()));
    await a.open('2025-11-25', { elicitation: {} });
    const { task } = (await a.request('tools/call', { name: 'confirm', task: {} }).finished()).message.result;
    b.sessionId = a.sessionId;
    b.revision = a.revision;
    const result = b.request('tasks/result', { taskId: task.taskId });
    await turnOver();
    const [question] = result.messages;
    expect(question.params._meta['io.modelcontextprotocol/related-task']).toEqual({ taskId: task.taskId });
    const answer = { action: 'accept', content: { confirm: true } };
    await a.post({ jsonrpc: '2.0', id: question.id, result: answer }, a.sessionHeaders).finished();
    await result.finished();
    const last = result.messages.at(-1).result;
    expect(last._meta['io.modelcontextprotocol/related-task']).toEqual({ taskId: task.taskId });
    expect(last.content[0].text).toContain('"confirm":true');
  });
});
