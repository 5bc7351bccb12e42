import { SessionClient } from '../../wire/clients.js';
import type { Message } from '../../wire/exchange.js';
import { MAY_GO_AWAY, ResumingReader } from '../resuming-reader.js';
import type { ChaosClient } from './client.js';
import { type Ledger, Progress, type Said, Told } from './ledger.js';

const ATTEMPTS = 200;

/** A client that judges every event id, and takes every stream up again wherever it broke. */
export async function openRaw(url: string, key: string, ledger: Ledger): Promise<ChaosClient> {
  const client = await opened(url, key);
  const told = new Told(ledger);
  const standalone = await again('GET', async () => {
    const answer = await client.get();
    if (answer.status !== 200) throw new Error(`GET: ${answer.status}`);
    return answer;
  });
  const reader = new ResumingReader(client, standalone, ledger.resumeMs);
  reader.messages.each(({ params }) => told.hear(params.data as Said));
  reader.done.catch((error) => ledger.fault('other', error.message));
  return {
    call: (tool) => call(client, tool, ledger),
    get heard() {
      return told.number;
    },
    probe: () =>
      again('tools/list', async () => {
        const { status } = await client.ask('tools/list');
        if (status === 404) throw new Fatal('404 Session not found');
        if (status !== 200) throw new Error(`tools/list: ${status}`);
      }),
    async end() {
      await reader.stop().catch(() => undefined);
      await client.delete().catch(() => undefined);
    },
  };
}

async function call(client: SessionClient, tool: string, ledger: Ledger): Promise<void> {
  const progress = new Progress(ledger);
  const answer = await client.call(tool, {}, { meta: { progressToken: 0 } }).catch(() => undefined);
  if (answer?.status === 404) throw new Fatal('404 Session not found');
  if (answer === undefined || MAY_GO_AWAY.includes(answer.status)) return void (ledger.calls.cut += 1);
  if (answer.status !== 200) return ledger.fault('other', `a call was answered ${answer.status}`);
  if (!answer.streaming)
    return void (await answer
      .body()
      .then(() => (ledger.calls.done += 1))
      .catch(() => (ledger.calls.cut += 1)));
  // A stream whose first event never came has no name by which it could be asked for.
  const first = await answer.frames.first('an event id', ({ id }) => id !== undefined).catch(() => undefined);
  if (first === undefined) return void (ledger.calls.cut += 1);
  const reader = new ResumingReader(client, answer, ledger.resumeMs);
  reader.messages.each(({ method, params }) => {
    if (method === 'notifications/progress') progress.hear(params.progress);
  });
  try {
    await reader.done;
  } catch (error) {
    return ledger.fault('other', (error as Error).message);
  }
  settle(reader.messages.all.at(-1), tool, progress, ledger);
}

function settle(last: Message | undefined, tool: string, progress: Progress, ledger: Ledger): void {
  if (last?.error !== undefined && /Outcome unknown|stop/i.test(last.error.message)) ledger.calls.unknown += 1;
  else if (last?.result === undefined) ledger.fault('lost', `the answer of a call: ${JSON.stringify(last)}`);
  else {
    ledger.calls.done += 1;
    progress.end(`${tool} by the raw client`);
  }
}

/** Not worth another attempt. */
class Fatal extends Error {}

/** Opens a session, as often as it takes: what a node that is killed had begun is nobody's. */
function opened(url: string, key: string): Promise<SessionClient> {
  return again('initialize', async () => {
    const client = new SessionClient(url, key);
    await client.open();
    if (!client.sessionId) throw new Error('initialize gave no session');
    return client;
  });
}

async function again<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Fatal) throw error;
      if (left === 0) throw new Error(`${what} failed ${ATTEMPTS} times: ${(error as Error).message}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
