import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { askingTools } from '../../testing/asking-tools.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fullSnapshot } from '../../testing/fixture-offers.js';
import { reachableBytes } from '../../testing/heap.js';
import { mutate, randomOf } from '../../testing/mutate.js';
import { RecordingResponder } from '../../testing/recording-responder.js';
import { ScriptedClient } from '../../testing/scripted-client.js';
import type { HttpRequest } from '../http-exchange.js';

/** `npm run verify` sends 100 000. */
const MESSAGES = Number(process.env.GANTRY_MUTATED_MESSAGES ?? 3_000);
/** What the heap may grow by: over few messages the queues and logs that are bounded have not filled yet. */
const GROWTH = MESSAGES >= 50_000 ? 1.05 : 1.3;
const SEED = Number(process.env.GANTRY_SEED ?? 20_260_728);

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'mutant', version: '1' },
};
const argument = { name: 'word', value: 'a' };

const add = { name: 'add', arguments: { a: 1, b: 2 } };

/** Sound params of every method, before something is done to them. */
const METHODS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'mutant', version: '1' } },
  ping: {},
  'logging/setLevel': { level: 'debug' },
  'tools/list': { cursor: 'x' },
  'tools/call': { ...add, _meta: { progressToken: 0 } },
  'tools/call of a tool that asks': { name: 'ask_several', arguments: {}, inputResponses: {}, requestState: 'x' },
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: 'docs://readme' },
  'resources/subscribe': { uri: 'docs://readme' },
  'resources/unsubscribe': { uri: 'docs://readme' },
  'prompts/list': {},
  'prompts/get': { name: 'greet', arguments: { who: 'you' }, inputResponses: { a: {} }, requestState: 'x' },
  'completion/complete': { ref: { type: 'ref/prompt', name: 'greet' }, argument, context: { arguments: {} } },
  'server/discover': {},
  'notifications/cancelled': { requestId: 1, reason: 'why' },
  'notifications/progress': { progressToken: 1, progress: 1 },
};

function statusIsSound(answer: RecordingResponder): boolean {
  const { status, message } = answer;
  if (status === 202 || status === 204) return answer.body === undefined;
  if (status === 200) return message === undefined || Array.isArray(message) || message.jsonrpc === '2.0';
  const errors = [message].flat();
  return (status ?? 0) >= 400 && (status ?? 0) < 500 && errors.every((each) => Number.isInteger(each?.error?.code));
}

describe('mutated messages', () => {
  it(`are each answered as JSON-RPC says or accepted: ${MESSAGES} of them, seed ${SEED}`, {
    timeout: 600_000,
  }, async () => {
    const clock = new FakeClock();
    const errors: string[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (_: object, text: string) => void errors.push(text) };
    const endpoint = createMcpEndpoint({ clock, logger });
    const full = fullSnapshot({ maxSessions: 20 });
    const snapshot = { ...full, tools: [...full.tools, ...askingTools()] };
    const clients = await Promise.all(
      ['2025-03-26', '2025-06-18', '2025-11-25'].map(async (revision) => {
        const client = new ScriptedClient(endpoint, { snapshot });
        await client.open(revision);
        return client;
      }),
    );
    const random = randomOf(SEED);
    const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const sendOne = async (at: number) => {
      // Ids come again, as some clients give them.
      const id = at % 500;
      const entry = any(Object.keys(METHODS));
      const method = entry.replace(/ .*/, '');
      const modern = random() < 0.5;
      const { _meta, ...params } = METHODS[entry] as Record<string, unknown>;
      const sent = { ...params, _meta: modern ? { ...meta, ...(_meta as object) } : _meta };
      const sound = { jsonrpc: '2.0', id, method, params: sent };
      const client = any(clients);
      const message = random() < 0.1 ? [sound, structuredClone(sound)] : sound;
      const headers = modern ? modernHeaders(method, params) : client.sessionHeaders;
      const request = { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: mutate(message, random) };
      const answer = send(client, request);
      await answer.until(() => answer.done || answer.streaming);
      if (!answer.streaming) expect([answer.body, statusIsSound(answer)]).toEqual([answer.body, true]);
      // A question or a listen may be open: the client leaves.
      answer.disconnect();
      clock.advance(40);
    };
    const warm = Math.ceil(MESSAGES / 4);
    for (let id = 0; id < warm; id++) await sendOne(id);
    const before = await reachableBytes();
    for (let id = warm; id < MESSAGES; id++) await sendOne(id);
    expect((await reachableBytes()) / before).toBeLessThan(GROWTH);
    // The fixture's own crashing tools apart, nothing of ours may fail.
    expect(errors.filter((text) => text !== 'a handler failed')).toEqual([]);
    expect(clients[0]?.modern('tools/call', add).status).toBe(200);
  });
});

/** The watch over the frames remembers what was asked; over many messages that would hide what the endpoint keeps. */
function send(client: ScriptedClient, { method, headers, body }: HttpRequest): RecordingResponder {
  if (MESSAGES < 50_000) return client.raw(method, headers, body);
  const answer = new RecordingResponder();
  void client.endpoint.handle({ method, headers, body }, answer, client.host);
  return answer;
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function modernHeaders(method: string, params: Record<string, unknown>) {
  const name = params.name ?? params.uri;
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
}
