import { serverDocumentSchema, type TryInputRequired, type TryToolAnswer } from '@gantry/contracts';
import {
  type CatalogueSnapshot,
  createMcpEndpoint,
  type HttpRequest,
  InputNeeded,
  systemClock,
  type ToolRunner,
} from '@gantry/mcp-core';
import { describe, expect, it } from 'vitest';
import type { TenantCaller } from '../common/http/request-context.js';
import type { HostedServer } from '../modules/tools/catalogue/hosted-servers.js';
import type { ExchangeHandler } from './mcp-gateway.js';
import { type TryEnd, tryOutcome } from './try-outcome.js';
import { type PreparedTry, TryRuns } from './try-runs.js';

const caller = { requestId: 'r1', tenant: { id: 't1', slug: 'acme' }, principal: { kind: 'user', id: 'u1' } };
const document = serverDocumentSchema.parse({
  name: 'Orders',
  tools: [
    {
      name: 'greet',
      description: 'Greets.',
      inputSchema: { type: 'object', properties: { at: { type: 'string', 'x-mcp-header': 'Place' } } },
      template: { text: 'Hello' },
    },
  ],
});
const stored = {
  tenantId: 't1',
  tenantSlug: 'acme',
  tenantLimits: {},
  serverId: 's1',
  serverSlug: 'orders',
  revision: 1,
  document,
};

/** Plays the engine: answers each request with the next of `results`. */
function engine(...results: object[]) {
  const requests: { headers: HttpRequest['headers']; message: Record<string, never> }[] = [];
  const snapshots: CatalogueSnapshot[] = [];
  const handler: ExchangeHandler = {
    handle(request, responder, host) {
      snapshots.push(host.snapshot);
      requests.push({ headers: request.headers, message: JSON.parse(String(request.body)) });
      const result = results[requests.length - 1];
      if (result === undefined) return Promise.reject(new Error('nothing is left to answer'));
      responder.json(200, JSON.stringify({ jsonrpc: '2.0', id: 'r1', result }));
    },
  };
  return { handler, requests, snapshots };
}

function runsOn(handler: ExchangeHandler): TryRuns {
  return new TryRuns(
    { version: '1.2.3', limits: { jobTimeoutMs: 1_000 } } as never,
    { loadStored: async () => stored } as never,
    { forConsole: (hosted: HostedServer) => ({ snapshot: hosted.snapshot }) } as never,
    handler as never,
  );
}

function outcome<Answer>(prepared: PreparedTry<Answer>): Promise<TryEnd<Answer>> {
  return new Promise((resolve, reject) => {
    prepared.start({
      progress() {},
      log() {},
      answered(status, answer) {
        const ended = tryOutcome(prepared.kind, status, answer);
        if (ended instanceof Error) reject(ended);
        else resolve(ended);
      },
    });
  });
}
const who = caller as unknown as TenantCaller;

describe('TryRuns', () => {
  it('asks as a client that can be asked everything, headers and all', async () => {
    const { handler, requests, snapshots } = engine({ resultType: 'complete', content: [] });
    const prepared = await runsOn(handler).tool(who, 'orders', 'greet', { arguments: { at: 'home' } });
    expect(await outcome(prepared)).toMatchObject({ event: 'result' });
    expect(requests[0]?.headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': 'greet',
      'mcp-param-place': 'home',
    });
    expect(requests[0]?.message).toMatchObject({
      id: 'r1',
      params: {
        arguments: { at: 'home' },
        _meta: {
          progressToken: 'r1',
          'io.modelcontextprotocol/logLevel': 'debug',
          'io.modelcontextprotocol/clientInfo': { name: 'gantry-console', version: '1.2.3' },
          'io.modelcontextprotocol/clientCapabilities': {
            elicitation: { form: {}, url: {} },
            sampling: { tools: {} },
            roots: {},
          },
        },
      },
    });
    expect(requests[0]?.message.params).not.toHaveProperty('inputResponses');
    expect(snapshots[0]?.tools).toHaveLength(1);
  });

  it('passes questions on, and the answers back with the state as it was given', async () => {
    const inputRequests = { who: { method: 'elicitation/create', params: { message: 'Who?' } } };
    const { handler, requests } = engine(
      { resultType: 'input_required', inputRequests, requestState: 'sealed' },
      { resultType: 'complete', content: [{ type: 'text', text: 'Hello Ada' }] },
    );
    const runs = runsOn(handler);
    const asked = await outcome(await runs.tool(who, 'orders', 'greet', { arguments: {} }));
    expect(asked).toEqual({ event: 'input_required', answer: { inputRequests, requestState: 'sealed' } });
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    const body = { arguments: {}, inputResponses, requestState: 'sealed' };
    const ended = await outcome(await runs.tool(who, 'orders', 'greet', body));
    expect(ended).toMatchObject({ event: 'result', answer: { content: [{ text: 'Hello Ada' }] } });
    expect(requests[1]?.message.params).toMatchObject({ inputResponses, requestState: 'sealed' });
  });

  it('finds nothing that the stored document does not have, and begins nothing', async () => {
    const { handler, requests } = engine();
    const runs = runsOn(handler);
    const missing = expect.objectContaining({ code: 'not_found' });
    await expect(runs.tool(who, 'orders', 'other', { arguments: {} })).rejects.toEqual(missing);
    await expect(runs.prompt(who, 'orders', 'greet', { arguments: {} })).rejects.toEqual(missing);
    await expect(runs.resource(who, 'orders', { uri: 'docs://a' })).rejects.toEqual(missing);
    expect(requests).toEqual([]);
  });

  it('ends when the engine fails', async () => {
    const prepared = await runsOn(engine().handler).tool(who, 'orders', 'greet', { arguments: {} });
    await expect(outcome(prepared)).rejects.toMatchObject({ code: 'internal' });
  });

  it('asks and is answered through the real engine, which takes no answers to other questions', async () => {
    const runner: ToolRunner = {
      run(_call, { inputs }) {
        const answer = inputs.answers.who;
        if (answer === undefined) {
          const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
          const params = { message: 'Who?', requestedSchema };
          return new InputNeeded({ who: { method: 'elicitation/create', params } });
        }
        return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
      },
    };
    const endpoint = createMcpEndpoint({ clock: systemClock });
    const runs = runsOn({
      handle: (request, responder, { snapshot }) =>
        endpoint.handle(request, responder, {
          server: 's1',
          snapshot,
          owner: 'user:u1',
          principal: { kind: 'user', id: 'u1', scopes: [] },
          runner,
        }),
    });
    const run = async (body: Parameters<TryRuns['tool']>[3]) => outcome(await runs.tool(who, 'orders', 'greet', body));
    const asked = await run({ arguments: { at: 'ü' } });
    expect(asked).toMatchObject({
      event: 'input_required',
      answer: { inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?' } } } },
    });
    const { requestState } = asked.answer as TryInputRequired;
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    const ended = await run({ arguments: { at: 'ü' }, inputResponses, requestState });
    expect(ended.event).toBe('result');
    expect((ended.answer as TryToolAnswer).content[0]?.text).toContain('Ada');
    const other = run({ arguments: { at: 'o' }, inputResponses, requestState });
    await expect(other).rejects.toMatchObject({
      code: 'validation_failed',
      detail: expect.stringContaining('Run it again from the start.'),
    });
    await endpoint.close({ graceMs: 0 });
  });
});
