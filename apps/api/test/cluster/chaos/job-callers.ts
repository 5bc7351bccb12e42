import { ModernClient } from '../../wire/clients.js';
import type { Message } from '../../wire/exchange.js';
import type { NodesWorld } from '../world.js';
import type { Ledger } from './ledger.js';
import { pause } from './plan.js';

const ANSWER_MS = 60_000;
const OVER_MS = 45_000;
const TASKS = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

/**
 * A stateless caller of jobs until the run is over: calls with effects that it sends again until they are answered, and
 * tasks that ask. Whatever was accepted has to end.
 */
export async function callJobs(
  name: string,
  url: string,
  { key, backend }: NodesWorld,
  ledger: Ledger,
  over: AbortSignal,
): Promise<void> {
  const client = new ModernClient(url, key);
  for (let at = 0; !over.aborted; at++) {
    const effect = `${name}-${at}`;
    const tool = at % 2 === 0 ? 'charge_once' : 'charge_again';
    const result = await sentAgain(client, tool, effect, ledger);
    const text = result?.content?.[0]?.text ?? '';
    const effects = backend.count(`/${at % 2 === 0 ? 'once' : 'again'}/${effect}`);
    if (text === 'charged') ledger.jobs.done += 1;
    else if (at % 2 === 0 && /^Outcome unknown/.test(text)) ledger.jobs.unknown += 1;
    else ledger.fault('lost', `the answer of ${tool} ${effect}: ${JSON.stringify(result)}`);
    if (text === 'charged' && effects === 0) ledger.fault('lost', `the effect of ${effect}`);
    if (at % 2 === 0 && effects > 1) ledger.fault('doubled', `${effects} effects of ${effect}`, effects - 1);
    await answeredTask(client, `${effect}-task`, ledger);
    await pause(50, over);
  }
}

/** Sends a call under its key until it is answered. */
async function sentAgain(client: ModernClient, tool: string, at: string, ledger: Ledger): Promise<Message> {
  const meta = { 'dev.gantry/idempotencyKey': at };
  return persistently(`${tool} ${at}`, ledger, async () => {
    const answer = await client.call(tool, { at }, { meta });
    const { result, error } = await answer.result();
    // Said by a node that stops; the job goes on.
    if (error !== undefined) throw new Error(error.message);
    return result;
  });
}

/** A task that asks, looked at until it has ended. */
async function answeredTask(client: ModernClient, idempotencyKey: string, ledger: Ledger): Promise<void> {
  const meta = { ...TASKS, 'dev.gantry/idempotencyKey': idempotencyKey };
  const ask = async (method: string, params: Record<string, unknown>, more = {}) => {
    const answer = await client.ask(method, params, { meta: TASKS, ...more });
    const { result, error } = await answer.result();
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const end = await persistently(`task ${idempotencyKey}`, ledger, async () => {
    const { taskId } = await ask('tools/call', { name: 'asks', arguments: {} }, { meta });
    const named = { headers: { 'mcp-name': taskId } };
    for (;;) {
      const task = await ask('tasks/get', { taskId }, named);
      if (task.status === 'input_required') {
        const answers = Object.keys(task.inputRequests).map((key) => [
          key,
          { action: 'accept', content: { word: 'yes' } },
        ]);
        await ask('tasks/update', { taskId, inputResponses: Object.fromEntries(answers) }, named);
      } else if (task.status !== 'working') return task;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  if (end?.result?.content?.[0]?.text === 'heard yes') ledger.jobs.done += 1;
  else ledger.fault('lost', `the end of task ${idempotencyKey}: ${JSON.stringify(end)}`);
}

async function persistently(what: string, ledger: Ledger, attempt: () => Promise<Message>): Promise<Message> {
  const end = Date.now() + ANSWER_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) {
        ledger.fault('lost', `${what}: ${(error as Error).message}`);
        return undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** After everything has come back, no job may be left open. */
export async function allJobsOver({ cluster }: NodesWorld, ledger: Ledger): Promise<void> {
  const end = Date.now() + OVER_MS;
  for (;;) {
    const open: Message[] = [];
    for (const status of ['queued', 'running', 'input_required']) {
      const { body } = await cluster.admin('GET', `/tenants/acme/jobs?status=${status}&limit=100`);
      open.push(...body.items);
    }
    if (open.length === 0) return;
    if (Date.now() > end) {
      for (const { id, tool, status, attempts } of open)
        ledger.fault('lost', `job ${id} of ${tool} is ${status} after ${attempts} attempts`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
