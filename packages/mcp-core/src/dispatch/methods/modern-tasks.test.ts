import { describe, expect, it } from 'vitest';
import { MCPError } from '../../jsonrpc/errors.js';
import { Detached, InputNeeded } from '../../ports/tool-runner.js';
import { fixtureTool, Gate, text } from '../../testing/fixture-server.js';
import { jobWorld, TAKES_TASKS } from '../../testing/job-world.js';
import type { Json } from '../../testing/json.js';
import type { RequestHeaders, ScriptedClient } from '../../testing/scripted-client.js';
import { turnOver } from '../../testing/turn.js';
import { encodeMirrored } from '../../wire/mirrored-value.js';

const ASKS = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const question = { method: 'elicitation/create' as const, params: ASKS };
const answer = (name: string) => ({ action: 'accept', content: { name } });
const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const;
const BY_STATUS = ['inputRequests', 'result', 'error'];

function tools(gate: Gate) {
  const job = { job: true, task: 'optional' } as const;
  return [
    fixtureTool('plain', () => text('inline')),
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
      { job: true, task: 'required' },
    ),
    fixtureTool(
      'asks',
      (_args, { inputs: { answers } }) => {
        if (!('one' in answers && 'two' in answers)) return new InputNeeded({ one: question, two: question });
        return text(JSON.stringify(answers));
      },
      job,
    ),
    fixtureTool(
      'asks_again',
      (_args, { inputs: { answers } }) => {
        if (!('name' in answers)) return new InputNeeded({ name: question });
        return 'more' in answers ? text('enough') : new InputNeeded({ more: question, name: question });
      },
      job,
    ),
    fixtureTool(
      'detaches',
      (_args, { inputs, detachable }, { asJob }) => {
        const { name } = inputs.answers;
        if (name === undefined) return new InputNeeded({ name: question });
        if (detachable && !asJob) return new Detached({ seen: 1 });
        return text(`${JSON.stringify(name)} ${JSON.stringify(inputs.kept)}`);
      },
      { task: 'optional' },
    ),
  ];
}

/** A client that takes tasks for answers. */
function setUp() {
  const gate = new Gate();
  const world = jobWorld(tools(gate));
  const ask = (client: ScriptedClient, method: string, params: Record<string, Json>, meta: object = TAKES_TASKS) => {
    const named: RequestHeaders = 'taskId' in params ? { 'mcp-name': encodeMirrored(params.taskId) } : {};
    return client.modern(method, params, { meta, headers: named }).finished();
  };
  const call = (name: string, more: object = {}, meta: object = TAKES_TASKS) =>
    ask(world.a, 'tools/call', { name, ...more }, meta);
  const create = async (name: string) => (await call(name)).message.result.taskId as string;
  const get = async (taskId: string) => (await ask(world.b, 'tasks/get', { taskId })).message.result;
  const ended = async (taskId: string) => {
    for (;;) {
      const task = await get(taskId);
      if (!['working', 'input_required'].includes(task.status)) return task;
      await turnOver();
    }
  };
  return { ...world, gate, ask, call, create, get, ended };
}

describe('tasks of 2026-07-28', () => {
  it('are declared as an extension, and under no older name', async () => {
    const { a } = setUp();
    const { capabilities } = (await a.modern('server/discover').finished()).message.result;
    expect(capabilities.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} });
    expect(capabilities).not.toHaveProperty('tasks');
    const listed = (await a.modern('tools/list').finished()).message.result.tools;
    expect(listed.some((tool: object) => 'execution' in tool)).toBe(false);
  });

  it('are neither declared nor served where no tool may be one, or the host keeps no jobs', async () => {
    for (const { a } of [
      jobWorld([fixtureTool('plain', () => text('inline'))]),
      jobWorld(tools(new Gate()), { jobs: undefined }),
    ]) {
      const { capabilities } = (await a.modern('server/discover').finished()).message.result;
      expect(capabilities).not.toHaveProperty('extensions');
      const got = await a
        .modern('tasks/get', { taskId: 't' }, { meta: TAKES_TASKS, headers: { 'mcp-name': 't' } })
        .finished();
      expect([got.status, got.message.error.code]).toEqual([404, -32601]);
    }
  });

  it('have no tasks/result and no tasks/list (wire C7)', async () => {
    const { a } = setUp();
    for (const method of ['tasks/result', 'tasks/list']) {
      const refused = await a.modern(method, { taskId: 't' }, { meta: TAKES_TASKS, id: 'mine' }).finished();
      expect([refused.status, refused.message.id, refused.message.error.code]).toEqual([404, 'mine', -32601]);
    }
  });

  it.each(METHODS)('%s repeats the task in Mcp-Name (wire C5)', async (method) => {
    const { a, create } = setUp();
    const taskId = await create('slow');
    const post = async (name: string | undefined) => {
      const params = { taskId, inputResponses: {} };
      const { status, message } = await a
        .modern(method, params, { meta: TAKES_TASKS, headers: { 'mcp-name': name } })
        .finished();
      return [status, message.error?.code];
    };
    const encoded = `=?base64?${Buffer.from(taskId).toString('base64')}?=`;
    expect(await Promise.all([undefined, 'another', '=?base64?%%?=', `=?base64?${taskId}`].map(post))).toEqual(
      Array(4).fill([400, -32020]),
    );
    expect(await post(encoded)).toEqual([200, undefined]);
  });

  it('need the extension on the very request (wire C50)', async () => {
    const { a, ask, call, create, gate } = setUp();
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    const refusal = (answer: Json) => [answer.status, answer.message.error.code, answer.message.error.data];
    const expected = [400, -32021, { requiredCapabilities: { extensions } }];
    const taskId = await create('slow');
    for (const method of METHODS) {
      expect(refusal(await ask(a, method, { taskId, inputResponses: {} }, {}))).toEqual(expected);
    }
    expect(refusal(await call('fails', {}, {}))).toEqual(expected);
    const listen = await a.modern('subscriptions/listen', { notifications: { taskIds: [taskId] } }).finished();
    expect(refusal(listen)).toEqual(expected);
    const plain = call('slow', {}, {});
    await gate.entered(2);
    gate.open();
    expect((await plain).message.result.resultType).toBe('complete');
  });

  it('are created by one flat object, and found at once on any node (wire C51)', async () => {
    const { a, b, call, ask } = setUp();
    const created = (await call('slow')).message.result;
    expect(Object.keys(created).sort()).toEqual(
      ['_meta', 'createdAt', 'lastUpdatedAt', 'pollIntervalMs', 'resultType', 'status', 'taskId', 'ttlMs'].sort(),
    );
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    for (const client of [a, b]) {
      const got = (await ask(client, 'tasks/get', { taskId: created.taskId })).message.result;
      expect(got).toMatchObject({ taskId: created.taskId, resultType: 'complete', status: 'working' });
      expect(JSON.stringify(got)).not.toContain('related-task');
    }
  });

  it('carry by their status the result, the error or the questions, and never two (wire C52)', async () => {
    const { gate, create, ended, get } = setUp();
    const [slow, failed, refused, asking] = await Promise.all(['slow', 'fails', 'refuses', 'asks'].map(create));
    const inside = (task: Json) => BY_STATUS.filter((member) => member in task);
    expect(inside(await get(slow as string))).toEqual([]);
    await gate.entered();
    gate.open();
    const completed = await ended(slow as string);
    expect([completed.status, inside(completed), completed.result.isError]).toEqual(['completed', ['result'], false]);
    const toolError = await ended(failed as string);
    expect([toolError.status, toolError.result]).toEqual(['completed', { ...text('no luck'), isError: true }]);
    const protocolError = await ended(refused as string);
    expect([protocolError.status, inside(protocolError)]).toEqual(['failed', ['error']]);
    expect(protocolError.error).toEqual({ code: -32050, message: 'no such order', data: { order: 7 } });
    const questions = await get(asking as string);
    expect([questions.status, inside(questions)]).toEqual(['input_required', ['inputRequests']]);
  });

  it('stay ended (wire C52)', async () => {
    const { a, ask, create, ended } = setUp();
    const taskId = await create('fails');
    const task = await ended(taskId);
    await ask(a, 'tasks/cancel', { taskId });
    await ask(a, 'tasks/update', { taskId, inputResponses: { one: answer('Ada') } });
    expect(await ended(taskId)).toEqual(task);
  });

  it('take answers one by one, each key once, and what answers nothing is ignored (wire C53)', async () => {
    const { a, b, ask, create, get, ended } = setUp();
    const taskId = await create('asks');
    await turnOver();
    const update = (client: ScriptedClient, inputResponses: object) =>
      ask(client, 'tasks/update', { taskId, inputResponses });
    const open = async () => Object.keys((await get(taskId)).inputRequests);
    expect(await open()).toEqual(['one', 'two']);
    const ack = (await update(a, { one: answer('Ada'), stranger: 1 })).message.result;
    expect(Object.keys(ack).sort()).toEqual(['_meta', 'resultType']);
    expect([ack.resultType, await open()]).toEqual(['complete', ['two']]);
    expect((await update(b, { one: answer('Eve') })).message.result).toEqual(ack);
    await update(b, { two: answer('Bob') });
    const { result } = await ended(taskId);
    expect(JSON.parse(result.content[0].text)).toEqual({
      one: { result: answer('Ada') },
      two: { result: answer('Bob') },
    });
    expect((await update(a, { two: answer('Eve') })).message.result).toEqual(ack);
  });

  it('ask a second time under keys that they have not used (wire C53)', async () => {
    const { a, ask, create, get, ended } = setUp();
    const taskId = await create('asks_again');
    await turnOver();
    expect(Object.keys((await get(taskId)).inputRequests)).toEqual(['name']);
    await ask(a, 'tasks/update', { taskId, inputResponses: { name: answer('Ada') } });
    await turnOver();
    const keys = Object.keys((await get(taskId)).inputRequests);
    expect(keys).toHaveLength(2);
    expect(keys).not.toContain('name');
    await ask(a, 'tasks/update', {
      taskId,
      inputResponses: Object.fromEntries(keys.map((key) => [key, answer('Bob')])),
    });
    expect((await ended(taskId)).result.content[0].text).toBe('enough');
  });

  it('are cancelled with an empty answer, as often as it is asked (wire C53)', async () => {
    const { a, b, ask, create, gate, ended } = setUp();
    const taskId = await create('slow');
    await gate.entered();
    const first = (await ask(b, 'tasks/cancel', { taskId })).message.result;
    expect(Object.keys(first).sort()).toEqual(['_meta', 'resultType']);
    expect(gate.signals[0]?.aborted).toBe(true);
    const task = await ended(taskId);
    expect([task.status, BY_STATUS.some((member) => member in task)]).toEqual(['cancelled', false]);
    expect((await ask(a, 'tasks/cancel', { taskId })).message.result).toEqual(first);
  });

  it.each(METHODS)('%s refuses an id that names nothing, and params that are none (wire C53)', async (method) => {
    const { a, ask } = setUp();
    for (const params of [{ taskId: 'unknown' }, { taskId: 'x'.repeat(300) }]) {
      expect((await ask(a, method, { inputResponses: {}, ...params })).message.error.code).toBe(-32602);
    }
    const bad = await a.modern(method, { taskId: 7, inputResponses: {} }, { meta: TAKES_TASKS }).finished();
    expect(bad.message.error.message).toContain('taskId');
    if (method !== 'tasks/update') return;
    expect((await ask(a, method, { taskId: 'unknown', inputResponses: [] })).message.error.message).toContain(
      'inputResponses',
    );
  });

  it('are not asked for by params.task, which means nothing here (wire C53)', async () => {
    const { call } = setUp();
    expect((await call('plain', { task: { ttl: 1 } })).message.result.resultType).toBe('complete');
    expect((await call('plain', { task: { ttl: 1 } }, {})).message.result.resultType).toBe('complete');
  });

  it('are nobody else’s to get, update, cancel or hear of (wire C54)', async () => {
    const { at, ask, create, gate } = setUp();
    const taskId = await create('slow');
    await gate.entered();
    for (const stranger of [at('c', { owner: 'stranger' }), at('d', { server: 'another server' })]) {
      for (const method of METHODS) {
        expect((await ask(stranger, method, { taskId, inputResponses: {} })).message.error.code).toBe(-32602);
      }
      const listening = stranger.modern(
        'subscriptions/listen',
        { notifications: { taskIds: [taskId] } },
        { meta: TAKES_TASKS },
      );
      await listening.until(() => listening.messages.length > 0);
      expect(listening.messages[0].params.notifications).toEqual({ taskIds: [] });
      gate.signals[0]?.throwIfAborted();
      listening.disconnect();
    }
  });

  it('begin after the questions of their call, with the answers (wire C53)', async () => {
    const { call, ended } = setUp();
    const { requestState, resultType } = (await call('detaches')).message.result;
    expect(resultType).toBe('input_required');
    const created = (await call('detaches', { requestState, inputResponses: { name: answer('Ada') } })).message.result;
    expect(created).not.toHaveProperty('requestState');
    expect(created.resultType).toBe('task');
    expect((await ended(created.taskId)).result.content[0].text).toBe(
      `${JSON.stringify({ result: answer('Ada') })} {"seen":1}`,
    );
  });

  it('are not begun by a tool that detaches from a client without the extension (wire C50)', async () => {
    const { call } = setUp();
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const { requestState } = (await call('detaches', {}, meta)).message.result;
    const retried = (await call('detaches', { requestState, inputResponses: { name: answer('Ada') } }, meta)).message;
    expect(retried.result).toMatchObject({ resultType: 'complete', isError: false });
  });
});

describe('a listen stream for tasks', () => {
  it('tells how each stands when it opens, and each time it changes, in full', async () => {
    const { b, create, gate } = setUp();
    const taskId = await create('slow');
    await gate.entered();
    const listening = b.modern(
      'subscriptions/listen',
      { notifications: { taskIds: [taskId, taskId, 'none'] } },
      { meta: TAKES_TASKS },
    );
    await listening.until(() => listening.messages.length === 2);
    gate.open();
    await listening.until(() => listening.messages.some(({ params }) => params.status === 'completed'));
    const [acknowledged, ...told] = listening.messages;
    expect(acknowledged.params.notifications).toEqual({ taskIds: [taskId] });
    expect(told.map(({ method, params }) => [method, params.taskId, params.status])).toEqual([
      ['notifications/tasks', taskId, 'working'],
      ['notifications/tasks', taskId, 'completed'],
    ]);
    expect(told.at(-1).params.result.content[0].text).toBe('slow');
    expect(told.at(-1).params._meta['io.modelcontextprotocol/subscriptionId']).toBeDefined();
  });

  it('names no more tasks than it may, and each by a string', async () => {
    const { a } = setUp();
    const listen = (taskIds: unknown) =>
      a.modern('subscriptions/listen', { notifications: { taskIds } }, { meta: TAKES_TASKS }).finished();
    const bad = [Array.from({ length: 101 }, (_, at) => `t${at}`), 'task', [7], ['x'.repeat(257)]];
    for (const taskIds of bad) expect((await listen(taskIds)).message.error.code).toBe(-32602);
  });
});
