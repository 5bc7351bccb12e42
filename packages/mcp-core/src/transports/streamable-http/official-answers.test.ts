import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { HostContext } from '../../dispatch/host.js';
import { askingTools } from '../../testing/asking-tools.js';
import { fixtureRunner, fixtureSnapshot, fixtureTool, text } from '../../testing/fixture-server.js';
import { type ServedEndpoint, serveOverHttp } from '../../testing/node-http.js';
import { turnOver } from '../../testing/turn.js';
import type { McpEndpoint } from './endpoint.js';

const IDENTITY = { name: 'official', version: '1.0.0' };
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const ADA = { action: 'accept' as const, content: { name: 'Ada' } };
const PARIS = { role: 'assistant' as const, content: { type: 'text' as const, text: 'Paris' }, model: 'm' };
const HOME = { roots: [{ uri: 'file:///home', name: 'Home' }] };
const ANSWERS = { name: { result: ADA }, capital: { result: PARIS }, places: { result: HOME } };

let endpoint: McpEndpoint;
let served: ServedEndpoint;

beforeEach(async () => {
  const leave = fixtureTool('leave', async (_args, context) => {
    context.closeStream(10);
    await turnOver();
    return text('done');
  });
  const snapshot = fixtureSnapshot([...askingTools(), leave]);
  endpoint = createMcpEndpoint();
  const principal = { kind: 'key', id: 'k', scopes: [] };
  const host: HostContext = { server: 's', snapshot, owner: 'o', principal, runner: fixtureRunner };
  served = await serveOverHttp(endpoint, () => host);
});

afterEach(async () => {
  await endpoint.close({ graceMs: 0 });
  await served.close();
});

const answersIn = (result: unknown) => JSON.parse((result as { content: [{ text: string }] }).content[0].text);

describe('the official client of 2025 revisions', () => {
  async function connect() {
    const client = new Client(IDENTITY, { capabilities: CAPABILITIES });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => (params.mode === 'url' ? { action: 'accept' } : ADA));
    client.setRequestHandler(CreateMessageRequestSchema, () => PARIS);
    client.setRequestHandler(ListRootsRequestSchema, () => HOME);
    await client.connect(new StreamableHTTPClientTransport(served.url));
    return client;
  }

  it('answers a form, sampling and roots while its call waits (wire B28)', async () => {
    const client = await connect();
    expect(answersIn(await client.callTool({ name: 'ask_several' }))).toEqual(ANSWERS);
    await client.close();
  });

  it('agrees to open a page (wire B32)', async () => {
    const client = await connect();
    expect(answersIn(await client.callTool({ name: 'ask_page' }))).toEqual({ page: { result: { action: 'accept' } } });
    await client.close();
  });

  it('says no with an error, which the tool is told', async () => {
    const client = await connect();
    client.setRequestHandler(CreateMessageRequestSchema, () => {
      throw new Error('not today');
    });
    const { capital } = answersIn(await client.callTool({ name: 'ask_capital' }));
    expect(capital.error).toEqual({ code: -32603, message: 'not today' });
    await client.close();
  });

  it('comes back for the rest of a stream that the server closed (RES-06)', async () => {
    const client = await connect();
    expect(await client.callTool({ name: 'leave' })).toMatchObject({ content: [{ text: 'done' }] });
    await client.close();
  });
});

describe('the official client of 2026-07-28', () => {
  async function connect() {
    const client = new ModernClient(IDENTITY, {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      if (params.mode === 'url') return { action: 'accept' };
      const field = Object.keys(params.requestedSchema.properties)[0] as string;
      return { action: 'accept', content: { [field]: 'Ada' } };
    });
    client.setRequestHandler('sampling/createMessage', () => PARIS);
    client.setRequestHandler('roots/list', () => HOME);
    await client.connect(new ModernTransport(served.url));
    return client;
  }

  it('answers a form, sampling and roots of one round (wire C42)', async () => {
    const client = await connect();
    expect(answersIn(await client.callTool({ name: 'ask_several' }))).toEqual(ANSWERS);
    await client.close();
  });

  it('goes round after round, and agrees to open a page (wire C42)', async () => {
    const client = await connect();
    const { kept, answers } = answersIn(await client.callTool({ name: 'ask_in_turn' }));
    expect([kept, Object.keys(answers)]).toEqual([{ effect1: 1, effect2: 2 }, ['step1', 'step2']]);
    expect(answersIn(await client.callTool({ name: 'ask_page' }))).toEqual({ page: { result: { action: 'accept' } } });
    await client.close();
  });
});
