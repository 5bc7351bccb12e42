import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { MCPError } from '../../jsonrpc/errors.js';
import { formFor, unanswered } from '../../testing/asking-tools.js';
import {
  fixturePrompt,
  fixturePromptRunner,
  fixtureResource,
  fixtureResourceRunner,
  fixtureTemplate,
  reads,
  says,
} from '../../testing/fixture-offers.js';
import { fixtureSnapshot, fixtureTool } from '../../testing/fixture-server.js';
import type { Json } from '../../testing/json.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const TOPIC = { topic: { action: 'accept', content: { topic: 'tea' } } };
const QUESTION = { topic: formFor('topic') };
const topicOf = (context: Json) => context.inputs.answers.topic.result.content.topic;

function setUp() {
  const refund = fixtureTool('throws', ({ code, data }) => {
    throw new MCPError(code, 'as the tenant said', data);
  });
  const snapshot = fixtureSnapshot(
    [refund],
    {},
    {
      prompts: [fixturePrompt('brief', (_args, context) => unanswered(QUESTION, context) ?? says(topicOf(context)))],
      resources: [
        fixtureResource(
          'docs://brief',
          (_v, context, { uri }) => unanswered(QUESTION, context) ?? reads(uri, topicOf(context)),
        ),
      ],
      resourceTemplates: [
        fixtureTemplate(
          'briefs://{id}',
          (_v, context, { uri }) => unanswered(QUESTION, context) ?? reads(uri, topicOf(context)),
        ),
      ],
    },
  );
  const client = new ScriptedClient(createMcpEndpoint(), {
    snapshot,
    host: { promptRunner: fixturePromptRunner, resourceRunner: fixtureResourceRunner },
  });
  const ask = async (method: string, params: Json) =>
    (await client.modern(method, params, { meta: { [CAPABILITIES]: { elicitation: {} } } }).finished()).response;
  return { client, ask };
}

describe('2026-07-28: rounds of prompts and resources', () => {
  it.each<[string, Json]>([
    ['prompts/get', { name: 'brief' }],
    ['resources/read', { uri: 'docs://brief' }],
    ['resources/read', { uri: 'briefs://7' }],
  ])('%s %j asks, and is complete when it is answered (wire C40, C42)', async (method, params) => {
    const { ask } = setUp();
    const { result } = await ask(method, params);
    expect(Object.keys(result).sort()).toEqual(['_meta', 'inputRequests', 'requestState', 'resultType']);
    const { requestState } = result;
    const done = (await ask(method, { ...params, requestState, inputResponses: TOPIC })).result;
    expect(done.resultType).toBe('complete');
    expect(JSON.stringify(done.messages ?? done.contents)).toContain('tea');
  });

  it('a state of one resource opens for no other (wire C43)', async () => {
    const { ask } = setUp();
    const { requestState } = (await ask('resources/read', { uri: 'briefs://7' })).result;
    for (const uri of ['briefs://8', 'docs://brief']) {
      const { error } = await ask('resources/read', { uri, requestState, inputResponses: TOPIC });
      expect(error.code).toBe(-32602);
    }
  });

  it('a name that the method does not know makes two resources no less different (wire C43)', async () => {
    const { ask } = setUp();
    const { requestState } = (await ask('resources/read', { uri: 'briefs://7', name: 'same' })).result;
    const other = { uri: 'briefs://8', name: 'same', requestState, inputResponses: TOPIC };
    expect((await ask('resources/read', other)).error).toMatchObject({ code: -32602 });
  });

  it('other methods have no rounds, whatever a request carries (wire C40)', async () => {
    const { ask } = setUp();
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover']) {
      const { result } = await ask(method, { inputResponses: TOPIC, requestState: 'x' });
      expect(result.resultType).toBe('complete');
    }
  });
});

describe('error codes that a tenant throws', () => {
  const page = { mode: 'url', message: 'm', url: 'https://example.com/', elicitationId: 'e' };
  const data = { elicitations: [page] };

  it('leave in 2026-07-28 as codes it has (wire C25)', async () => {
    const { ask } = setUp();
    const codeOf = async (code: number) =>
      (await ask('tools/call', { name: 'throws', arguments: { code, data } })).error.code;
    expect([await codeOf(-32002), await codeOf(-32042), await codeOf(4711)]).toEqual([-32602, -32603, 4711]);
  });

  it.each([
    ['2025-03-26', -32603],
    ['2025-06-18', -32603],
    ['2025-11-25', -32042],
  ])('%s says that a page must be opened as %d (wire B32)', async (revision, code) => {
    const { client } = setUp();
    await client.open(revision, { elicitation: { url: {} } });
    const { error } = (await client.call('throws', { code: -32042, data }).finished()).response;
    expect(error.code).toBe(code);
    const formless = { elicitations: [{ ...page, mode: 'form' }] };
    const other = (await client.call('throws', { code: -32042, data: formless }).finished()).response;
    expect(other.error.code).toBe(-32603);
  });
});
