import { describe, expect, it } from 'vitest';
import { MCPError } from '../../jsonrpc/errors.js';
import { InputNeeded } from '../../ports/tool-runner.js';
import { fixtureTool, Gate, text } from '../../testing/fixture-server.js';
import { jobWorld } from '../../testing/job-world.js';
import type { Json } from '../../testing/json.js';
import type { ScriptedClient } from '../../testing/scripted-client.js';
import { turnOver } from '../../testing/turn.js';

const RELATED = 'io.modelcontextprotocol/related-task';
const ASKS = {
  message: 'Sure?',
  requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
};
const YES = { action: 'accept', content: { sure: true } };

function tools(gate: Gate) {
  const job = { job: true, task: 'optional' } as const;
  return [
    fixtureTool('plain', () => text('inline')),
    fixtureTool('typed', () => ({ content: [], structuredContent: { n: 1 } }), {
      ...job,
      inputSchema: { type: 'object', required: ['n'] },
      outputSchema: { type: 'object' },
    }),
    fixtureTool(
      'slow',
      async (_args, { signal }) => {
        await gate.pass(signal);
        return text('slow');
      },
      job,
    ),
    fixtureTool('fails', () => ({ ...text('no luck'), isError: true }), { job: true, task: 'required' }),
    fixtureTool(
      'refuses',
      () => {
        throw new MCPError(-32050, 'no such order', { order: 7 });
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
    fixtureTool(
      'progress',
      async (_args, context) => {
        context.progress(1, 2, 'half');
        context.log('info', 'working on it');
        await gate.pass(context.signal);
        return text('done');
      },
      job,
    ),
  ];
}

async function setUp(capabilities: object = { elicitation: {} }) {
  const gate = new Gate();
  const world = jobWorld(tools(gate));
  const { a, b } = world;
  const opened = await a.open('2025-11-25', capabilities);
  b.sessionId = a.sessionId;
  b.revision = a.revision;
  const request = async (method: string, params: object, client = a) => {
    const { response } = await client.request(method, params).finished();
    return response;
  };
  const call = (name: string, more: object = {}) => request('tools/call', { name, ...more });
  const create = async (name: string, more: object = { task: {} }) => (await call(name, more)).result.task;
  const get = async (taskId: string) => (await request('tasks/get', { taskId }, b)).result;
  return { ...world, gate, opened, request, call, create, get };
}

const answering = (client: ScriptedClient, id: string, result: Json) =>
  client.post({ jsonrpc: '2.0', id, result }, client.sessionHeaders).finished();

describe('tasks of 2025-11-25', () => {
  it('are declared, and listed with each tool that may be one (wire B31)', async () => {
    const { opened, request } = await setUp();
    const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
    expect(opened.message.result.capabilities.tasks).toEqual(tasks);
    const listed = (await request('tools/list', {})).result.tools as Json[];
    expect(Object.fromEntries(listed.map(({ name, execution }) => [name, execution?.taskSupport]))).toEqual({
      plain: undefined,
      typed: 'optional',
      slow: 'optional',
      fails: 'required',
      refuses: 'optional',
      asks: 'optional',
      progress: 'optional',
    });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18'])(
    'are unknown to %s, which cannot call what must be one',
    async (name) => {
      const { a } = jobWorld(tools(new Gate()));
      const { message } = await a.open(name);
      expect(message.result.capabilities).not.toHaveProperty('tasks');
      const ask = async (method: string, params: object) => (await a.request(method, params).finished()).response;
      const listed = (await ask('tools/list', {})).result.tools as Json[];
      expect(listed.some((tool) => 'execution' in tool)).toBe(false);
      const refused = await ask('tools/call', { name: 'fails' });
      expect([refused.error.code, refused.error.message]).toEqual([
        -32601,
        `Tool fails can only be called as a task, which ${name} has not`,
      ]);
      expect((await ask('tasks/get', { taskId: 't' })).error.code).toBe(-32601);
      expect((await ask('tools/call', { name: 'plain', task: {} })).result.content).toEqual(text('inline').content);
    },
  );

  it('are not asked for where none are declared (wire B31)', async () => {
    const { a } = jobWorld([fixtureTool('plain', () => text('inline'))]);
    const { message } = await a.open();
    expect(message.result.capabilities).not.toHaveProperty('tasks');
    const { response } = await a.request('tools/call', { name: 'plain', task: { ttl: 1 } }).finished();
    expect(response.result.content).toEqual(text('inline').content);
    expect((await a.request('tasks/list').finished()).response.error.code).toBe(-32601);
  });

  it('are what some tools must be called as, and others cannot (wire B31)', async () => {
    const { call } = await setUp();
    expect((await call('plain', { task: {} })).error).toMatchObject({ code: -32601 });
    expect((await call('fails')).error).toMatchObject({ code: -32601 });
    expect((await call('plain')).result.content).toEqual(text('inline').content);
    const faults = [{ task: 1 }, { task: { ttl: 'long' } }, { task: { ttl: -1 } }];
    for (const fault of faults) expect((await call('slow', fault)).error.code).toBe(-32602);
  });

  it('are refused, and not begun, for arguments that the tool does not take (wire B31)', async () => {
    const { call, request } = await setUp();
    expect((await call('typed', { task: {}, arguments: {} })).error.code).toBe(-32602);
    expect((await request('tasks/list', {})).result.tasks).toEqual([]);
  });

  it('are created in an object of their own, and only look like their revision (wire B31)', async () => {
    const { call, get } = await setUp();
    const { task, ...rest } = (await call('slow', { task: { ttl: 60_000 } })).result;
    expect([rest, Object.keys(task).sort()]).toEqual([
      {},
      ['createdAt', 'lastUpdatedAt', 'pollInterval', 'status', 'taskId', 'ttl'],
    ]);
    expect(task).toMatchObject({ status: 'working', ttl: 60_000 });
    expect(await get(task.taskId)).toMatchObject({ taskId: task.taskId, status: 'working' });
  });

  it('begin as working, however soon they have ended (wire B31, wire C51)', async () => {
    const { jobs, at, b } = await setUp();
    const submit: typeof jobs.submit = async (submission) => {
      const { job } = await jobs.submit(submission);
      for (;;) {
        const now = await jobs.get(submission, job.id);
        if (now?.end !== undefined) return { job: now, joined: false };
        await turnOver();
      }
    };
    const hasty = Object.assign(Object.create(jobs), { submit, get: jobs.get.bind(jobs) });
    const client = at('c', { jobs: hasty });
    client.sessionId = b.sessionId;
    client.revision = b.revision;
    const { response } = await client.request('tools/call', { name: 'fails', task: {} }).finished();
    expect(response.result.task.status).toBe('working');
  });

  it('give their result when they end, as the call would have, named as theirs (wire B31)', async () => {
    const { create, request, gate, b, get } = await setUp();
    const { taskId } = await create('slow');
    const waiting = request('tasks/result', { taskId }, b);
    await gate.entered();
    await turnOver();
    expect((await get(taskId)).status).toBe('working');
    gate.open();
    expect((await waiting).result).toEqual({ ...text('slow'), isError: false, _meta: { [RELATED]: { taskId } } });
    expect((await request('tasks/result', { taskId })).result.content).toEqual(text('slow').content);
    expect((await get(taskId)).status).toBe('completed');
  });

  it('have failed when their tool has, and give its result all the same (wire B31)', async () => {
    const { create, request, get } = await setUp();
    const { taskId } = await create('fails');
    expect((await request('tasks/result', { taskId })).result).toMatchObject({ ...text('no luck'), isError: true });
    expect((await get(taskId)).status).toBe('failed');
  });

  it('give the very error that their call ended with (wire B31)', async () => {
    const { create, request, get } = await setUp();
    const { taskId } = await create('refuses');
    const { error } = await request('tasks/result', { taskId });
    expect(error).toEqual({ code: -32050, message: 'no such order', data: { order: 7 } });
    expect((await get(taskId)).status).toBe('failed');
  });

  it('are cancelled by an answer that says so, and once only (wire B31)', async () => {
    const { create, request, gate, b, get } = await setUp();
    const { taskId } = await create('slow');
    await gate.entered();
    const waiting = request('tasks/result', { taskId });
    const cancelled = (await request('tasks/cancel', { taskId }, b)).result;
    expect(cancelled).toMatchObject({ taskId, status: 'cancelled' });
    expect(gate.signals[0]?.aborted).toBe(true);
    expect((await waiting).error.code).toBe(-32602);
    expect((await request('tasks/cancel', { taskId })).error.code).toBe(-32602);
    expect((await get(taskId)).status).toBe('cancelled');
  });

  it('outlive a tasks/result that is cancelled, or whose client leaves (wire B31, CAN-02)', async () => {
    const { a, create, gate, get } = await setUp();
    const { taskId } = await create('slow');
    await gate.entered();
    const cancelled = a.request('tasks/result', { taskId }, { id: 90 });
    const left = a.request('tasks/result', { taskId }, { id: 91 });
    await turnOver();
    await a.notify('notifications/cancelled', { requestId: 90 }).finished();
    left.disconnect();
    await cancelled.finished();
    expect([gate.signals[0]?.aborted, (await get(taskId)).status]).toEqual([false, 'working']);
  });

  it('are not cancelled by a cancel of the call that began them', async () => {
    const { a, gate, get } = await setUp();
    const created = await a.request('tools/call', { name: 'slow', task: {} }, { id: 77 }).finished();
    await gate.entered();
    await a.notify('notifications/cancelled', { requestId: 77 }).finished();
    await turnOver();
    expect(gate.signals[0]?.aborted).toBe(false);
    expect((await get(created.response.result.task.taskId)).status).toBe('working');
  });

  it('ask on the stream of tasks/result, the same question on each (wire B31)', async () => {
    const { a, b, create, get } = await setUp();
    const { taskId } = await create('asks');
    await turnOver();
    expect((await get(taskId)).status).toBe('input_required');
    const first = a.request('tasks/result', { taskId });
    const second = b.request('tasks/result', { taskId });
    await Promise.all([first, second].map((one) => one.until(() => one.messages.length === 1)));
    expect(first.messages[0]).toEqual(second.messages[0]);
    const { id, method, params } = first.messages[0];
    expect([method, params._meta[RELATED]]).toEqual(['elicitation/create', { taskId }]);
    await answering(b, id, YES);
    await Promise.all([first.finished(), second.finished()]);
    for (const { response } of [first, second]) {
      expect(response.result.content[0].text).toBe(JSON.stringify({ result: YES }));
    }
    await answering(a, id, YES);
    expect((await get(taskId)).status).toBe('completed');
  });

  it('take back what they asked when they are cancelled', async () => {
    const { a, b, create, request } = await setUp();
    const { taskId } = await create('asks');
    const waiting = a.request('tasks/result', { taskId });
    await waiting.until(() => waiting.messages.length === 1);
    expect((await request('tasks/cancel', { taskId }, b)).result.status).toBe('cancelled');
    await waiting.finished();
    const [question, takenBack, answer] = waiting.messages;
    expect(takenBack).toMatchObject({ method: 'notifications/cancelled', params: { requestId: question.id } });
    expect(answer.error).toBeDefined();
  });

  it('end in words for a client that cannot be asked', async () => {
    const { create, request } = await setUp({});
    const { taskId } = await create('asks');
    const { result } = await request('tasks/result', { taskId });
    expect([result.isError, result.content[0].text]).toEqual([true, expect.stringContaining('elicitation')]);
  });

  it('ask nothing before the client has said that it is ready (wire B21)', async () => {
    const { a } = jobWorld(tools(new Gate()));
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'c', version: '1' },
    };
    const opened = await a.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }).finished();
    a.sessionId = opened.headers['mcp-session-id'];
    a.revision = '2025-11-25';
    const created = await a.request('tools/call', { name: 'asks', task: {} }, { id: 2 }).finished();
    const waiting = a.request('tasks/result', created.response.result.task, { id: 3 });
    await turnOver();
    expect(waiting.messages).toEqual([]);
    await a.notify('notifications/initialized').finished();
    await waiting.until(() => waiting.messages.length === 1);
    expect(waiting.messages[0].method).toBe('elicitation/create');
  });

  it('say progress and logs under the token of their call, named as theirs (wire B31)', async () => {
    const { a, gate } = await setUp();
    const standing = a.get();
    await standing.until(() => standing.frames.length > 0);
    const asked = a.request('tools/call', { name: 'progress', task: {}, _meta: { progressToken: 'tok' } });
    const { taskId } = (await asked.finished()).response.result.task;
    await standing.until(() => standing.messages.length === 2);
    expect(standing.messages.map(({ method, params }) => [method, params._meta[RELATED].taskId])).toEqual([
      ['notifications/progress', taskId],
      ['notifications/message', taskId],
    ]);
    expect(standing.messages[0].params).toMatchObject({ progressToken: 'tok', progress: 1, total: 2 });
    gate.open();
  });

  it('are listed to their owner alone, page by page (wire B31)', async () => {
    const { a, at, create, request } = await setUp();
    const made: string[] = [];
    for (const name of ['fails', 'refuses', 'fails', 'fails', 'refuses']) made.unshift((await create(name)).taskId);
    expect((await request('tasks/list', {})).result.tasks.map(({ taskId }: Json) => taskId)).toEqual(made);
    a.snapshot = { ...a.snapshot, settings: { ...a.snapshot.settings, pageSize: 2 } };
    const walked: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { tasks, nextCursor } = (await request('tasks/list', cursor === undefined ? {} : { cursor })).result;
      walked.push(...tasks.map(({ taskId }: Json) => taskId));
      cursor = nextCursor;
      if (cursor === undefined) break;
    }
    expect(walked).toEqual(made);
    expect((await request('tasks/list', { cursor: 'mine' })).error.code).toBe(-32602);
    const stranger = at('c', { owner: 'stranger' });
    await stranger.open();
    const ask = async (method: string) => (await stranger.request(method, { taskId: made[0] }).finished()).response;
    expect((await ask('tasks/list')).result).toEqual({ tasks: [] });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect((await ask(method)).error.code).toBe(-32602);
    }
  });

  it('are not changed by tasks/update, which is of another revision', async () => {
    const { create, request } = await setUp();
    const { taskId } = await create('slow');
    expect((await request('tasks/update', { taskId, inputResponses: {} })).error.code).toBe(-32601);
  });
});
