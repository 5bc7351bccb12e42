import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { HostContext } from '../../dispatch/host.js';
import { InMemoryChangeBus } from '../../memory/change-bus.js';
import { InMemoryEventLog } from '../../memory/event-log.js';
import { systemClock } from '../../ports/clock.js';
import { InputNeeded } from '../../ports/tool-runner.js';
import { fixtureRunner, fixtureSnapshot, fixtureTool, Gate, text } from '../../testing/fixture-server.js';
import { InMemoryJobs } from '../../testing/in-memory-jobs.js';
import { jobServices } from '../../testing/job-world.js';
import { type ServedEndpoint, serveOverHttp } from '../../testing/node-http.js';
import type { McpEndpoint } from './endpoint.js';

const ASKS = {
  message: 'Sure?',
  requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
};

function tools(gate: Gate) {
  return [
    fixtureTool(
      'slow',
      async (_args, context) => {
        context.progress(1, 2);
        await gate.pass(context.signal);
        context.progress(2, 2);
        return text('slow');
      },
      { job: true, task: 'optional' },
    ),
    fixtureTool('fails', () => ({ ...text('no luck'), isError: true }), { job: true, task: 'required' }),
    fixtureTool(
      'asks',
      (_args, { inputs: { answers } }) =>
        'sure' in answers
          ? text(JSON.stringify(answers.sure))
          : new InputNeeded({ sure: { method: 'elicitation/create', params: ASKS } }),
      { job: true, task: 'required' },
    ),
  ];
}

let endpoint: McpEndpoint;
let served: ServedEndpoint;
let client: Client;
let gate: Gate;

beforeEach(async () => {
  gate = new Gate();
  const eventLog = new InMemoryEventLog(systemClock);
  const changeBus = new InMemoryChangeBus();
  endpoint = createMcpEndpoint({ eventLog, changeBus });
  const host: HostContext = {
    server: 's',
    snapshot: fixtureSnapshot(tools(gate)),
    owner: 'o',
    principal: { kind: 'key', id: 'k', scopes: [] },
    runner: fixtureRunner,
    jobs: new InMemoryJobs(jobServices(systemClock, eventLog, changeBus), changeBus),
  };
  served = await serveOverHttp(endpoint, () => host);
  client = new Client({ name: 'official', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  await client.connect(new StreamableHTTPClientTransport(served.url));
  await client.listTools();
});

afterEach(async () => {
  gate.open();
  await client.close();
  await endpoint.close({ graceMs: 0 });
  await served.close();
});

/** What a call of a tool yields, one after the other, as the client's own stream of it says. */
async function walk(name: string, told: (type: string) => void = () => {}) {
  const seen: { type: string; text?: string; isError?: boolean; error?: string }[] = [];
  for await (const message of client.experimental.tasks.callToolStream({ name, arguments: {} })) {
    told(message.type);
    if (message.type === 'result') {
      const [block] = message.result.content as { text: string }[];
      seen.push({ type: 'result', text: block?.text, isError: message.result.isError === true });
    } else seen.push({ type: message.type, ...(message.type === 'error' && { error: message.error.message }) });
  }
  return seen;
}

describe('the official client of 2025-11-25', () => {
  it('follows a task from its creation to its result (wire B31)', async () => {
    const seen = await walk('slow', (type) => void (type === 'taskStatus' && gate.open()));
    expect(seen[0]).toEqual({ type: 'taskCreated' });
    expect(seen.at(-1)).toEqual({ type: 'result', text: 'slow', isError: false });
  });

  it('answers what a task asks while it waits for the result (wire B31)', async () => {
    let asked = 0;
    client.setRequestHandler(ElicitRequestSchema, () => {
      asked++;
      return { action: 'accept', content: { sure: true } };
    });
    const seen = await walk('asks');
    expect(asked).toBe(1);
    expect(seen.at(-1)?.text).toContain('"sure":true');
  });

  it('is told of a tool that failed as its kind has it (wire B31)', async () => {
    const seen = await walk('fails');
    expect(seen.at(-1)).toMatchObject({ type: 'error' });
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks.map(({ status }) => status)).toEqual(['failed']);
  });

  it('lists, reads and cancels its tasks (wire B31)', async () => {
    const { tasks } = client.experimental;
    const stream = tasks.callToolStream({ name: 'slow', arguments: {} });
    const { value } = await stream.next();
    const { taskId } = (value as { task: { taskId: string } }).task;
    await gate.entered();
    expect((await tasks.getTask(taskId)).status).toBe('working');
    expect((await tasks.listTasks()).tasks).toHaveLength(1);
    expect((await tasks.cancelTask(taskId)).status).toBe('cancelled');
    await expect(tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 });
    await stream.return();
  });

  it('may call the same tool without a task, and hears its progress (PRG-01)', async () => {
    const heard: number[] = [];
    const calling = client.callTool({ name: 'slow' }, undefined, {
      onprogress: ({ progress }) => void heard.push(progress),
    });
    await gate.entered();
    gate.open();
    expect((await calling).content).toEqual(text('slow').content);
    expect(heard).toEqual([1, 2]);
  });
});
