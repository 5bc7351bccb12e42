import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { InMemoryEventLog } from '../../memory/event-log.js';
import { InMemoryNodeBus } from '../../memory/node-bus.js';
import { InMemorySessionStore } from '../../memory/session-store.js';
import { askingTools, formFor, unanswered } from '../../testing/asking-tools.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, Gate, text } from '../../testing/fixture-server.js';
import type { Json } from '../../testing/json.js';
import type { RecordingResponder } from '../../testing/recording-responder.js';
import { Network } from '../../testing/remote-ports.js';
import { ScriptedClient } from '../../testing/scripted-client.js';
import { turnOver } from '../../testing/turn.js';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const ADA = { action: 'accept', content: { name: 'Ada' } };

/** Two nodes whose stores may be reached over a network, and a tool that works on once it has been answered. */
function setUp(remote = true) {
  const clock = new FakeClock();
  const gate = new Gate();
  const network = new Network();
  const reached = <T extends object>(port: T) => (remote ? network.remote(port) : port);
  const shared = {
    clock,
    sessionStore: reached(new InMemorySessionStore(clock)),
    eventLog: reached(new InMemoryEventLog(clock)),
    nodeBus: new InMemoryNodeBus(),
  };
  const works = fixtureTool('ask_and_work', async (_args, context) => {
    const open = unanswered({ name: formFor('name') }, context);
    if (open !== undefined) return open;
    await gate.pass(context.signal);
    return text('worked');
  });
  const snapshot = fixtureSnapshot([...askingTools(), works]);
  const onNode = (nodeId: string) => new ScriptedClient(createMcpEndpoint({ ...shared, nodeId }), { snapshot });
  return { a: onNode('a'), b: onNode('b'), clock, gate, network };
}

/** A session whose client has not said yet that it is ready. */
async function opened(client: ScriptedClient, protocolVersion: string): Promise<void> {
  const params = {
    protocolVersion,
    capabilities: { elicitation: {}, roots: {} },
    clientInfo: { name: 'n', version: '1' },
  };
  const answer = await client.post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params }).finished();
  client.sessionId = answer.headers['mcp-session-id'];
  client.revision = protocolVersion;
}

async function inSession(remote = true) {
  const parts = setUp(remote);
  const { a, b } = parts;
  await a.open('2025-11-25', { elicitation: {}, roots: {}, sampling: {} });
  b.sessionId = a.sessionId;
  b.revision = a.revision;
  return parts;
}

const isQuestion = ({ id, method }: Json) => id !== undefined && method !== undefined;
const methods = ({ messages }: RecordingResponder) =>
  messages.map(({ method, error }) => method ?? error?.code ?? 'result');

async function question(answer: RecordingResponder): Promise<Json> {
  await answer.until(() => answer.messages.some(isQuestion));
  return answer.messages.find(isQuestion);
}

const reply = (client: ScriptedClient, id: unknown) =>
  client.post({ jsonrpc: '2.0', id, result: ADA }, client.sessionHeaders);

describe('questions over a network', () => {
  it('are asked and answered on another node (wire B28)', async () => {
    const { a, b } = await inSession();
    const call = a.call('ask_name');
    reply(b, (await question(call)).id);
    await call.finished();
    expect(JSON.parse(call.response.result.content[0].text)).toEqual({ name: { result: ADA } });
  });

  it('reach a connected client although the log does not take them', async () => {
    const { a, network } = await inSession();
    network.away.add('append');
    const call = a.call('ask_name');
    const { id } = await question(call);
    await reply(a, id).finished();
    await call.finished();
    expect(call.response.result.isError).toBe(false);
  });
});

describe('a call that asks, when it ends early', () => {
  it('asks nothing when it is cancelled before the client is ready (wire B21, B24)', async () => {
    const { a } = setUp();
    await opened(a, '2025-11-25');
    const call = a.call('ask_name', {}, undefined, { id: 'x' });
    await turnOver();
    a.notify('notifications/cancelled', { requestId: 'x' });
    await call.finished();
    a.notify('notifications/initialized');
    await turnOver();
    expect([call.status, call.messages]).toEqual([202, []]);
  });

  it.each(['2025-03-26', '2025-11-25'])(
    'waits for nobody when the client of %s has left before it was asked',
    async (revision) => {
      const { a } = setUp();
      await opened(a, revision);
      const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'ask_places' } };
      const answer = a.post(revision === '2025-03-26' ? [call] : call, a.sessionHeaders);
      await turnOver();
      answer.disconnect();
      expect(a.endpoint.load.inFlight).toBe(1);
      a.notify('notifications/initialized');
      await turnOver();
      expect(a.endpoint.load.inFlight).toBe(0);
    },
  );

  it('stops the run that follows an answer, and says nothing more (wire B24, CAN-01)', async () => {
    const { a, b, gate } = await inSession();
    const call = a.call('ask_and_work', {}, undefined, { id: 'x' });
    reply(a, (await question(call)).id);
    await gate.entered();
    b.notify('notifications/cancelled', { requestId: 'x' });
    await call.finished();
    expect([gate.signals[0]?.aborted, methods(call)]).toEqual([true, ['elicitation/create']]);
  });

  it('takes back what is still asked, and says why, when the server goes away', async () => {
    const { a, clock, gate } = await inSession(false);
    const answered = a.call('ask_and_work');
    reply(a, (await question(answered)).id);
    await gate.entered();
    const open = a.call('ask_name');
    await question(open);
    const closing = a.endpoint.close({ graceMs: 1_000 });
    await turnOver();
    clock.advance(1_000);
    await closing;
    expect(methods(open)).toEqual(['elicitation/create', 'notifications/cancelled', -32603]);
    expect(methods(answered)).toEqual(['elicitation/create', -32603]);
  });

  it('stops in 2026-07-28 when the client leaves during a later round (wire C26, CAN-03)', async () => {
    const { a, gate } = setUp();
    const meta = { [CAPABILITIES]: { elicitation: {} } };
    const asked = await a.modern('tools/call', { name: 'ask_and_work' }, { meta }).finished();
    const { requestState } = asked.message.result;
    const params = { name: 'ask_and_work', requestState, inputResponses: { name: ADA } };
    const retry = a.modern('tools/call', params, { meta });
    await gate.entered();
    retry.disconnect();
    expect([gate.signals[0]?.aborted, retry.frames]).toEqual([true, []]);
  });
});
