import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ADMIN_TOKEN } from '../harness/process.js';
import { seenAborted } from './backend.js';
import { type Ask, type Frame, send } from './exchange.js';
import { useWorld } from './world.js';

const world = useWorld();
const object = { type: 'object' } as const;
const code = (body: string) => ({ source: `export default async (args, ctx) => { ${body} }` });
const ASKS = `
  const said = await ctx.elicit("who", {
    message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } },
  });
  if (said.action !== "accept") return "nobody";
`;

beforeAll(async () => {
  const { gantry, backend } = world;
  await gantry.server('acme', 'studio', {
    name: 'Studio',
    tools: [
      {
        name: 'ask',
        description: 'asks',
        inputSchema: object,
        code: code(`${ASKS} return "Hello " + said.content.name;`),
      },
      {
        name: 'ask_all',
        description: 'asks for all there is',
        inputSchema: object,
        code: code(`
          const [link, text, roots] = await Promise.all([
            ctx.elicit("link", { mode: "url", url: "https://example.com/ok", message: "Look" }),
            ctx.sample("text", {
              messages: [{ role: "user", content: { type: "text", text: "Say hi" } }], maxTokens: 9,
              tools: [{ name: "look", inputSchema: { type: "object" } }],
            }),
            ctx.roots("roots"),
          ]);
          return { link: link.action, text: text.content.text, roots: roots.roots.length };
        `),
      },
      {
        name: 'held',
        description: 'waits',
        inputSchema: object,
        code: code(`ctx.progress(1, 2, "half"); await ctx.fetch("${backend.url}/held/try"); return "let go";`),
      },
    ],
    prompts: [
      {
        name: 'greet all',
        description: 'Greets.',
        arguments: [{ name: 'who', required: true }],
        messages: [{ role: 'user', content: { type: 'text', text: 'Greet {who}' } }],
      },
      {
        name: 'asks',
        description: 'Asks.',
        code: code(
          `${ASKS} return { messages: [{ role: "user", content: { type: "text", text: "I am " + said.content.name } }] };`,
        ),
      },
      { name: 'breaks', description: 'Breaks.', code: code('throw new Error("no ink");') },
    ],
    resources: [
      { uri: 'docs://readme', name: 'Readme', description: 'Read.', mimeType: 'text/markdown', text: '# Hi' },
      { uri: 'docs://broken', name: 'Broken', description: 'Breaks.', code: code('throw new Error("no paper");') },
    ],
    resourceTemplates: [
      {
        uriTemplate: 'orders://{id}',
        name: 'Order',
        description: 'One.',
        code: code(`${ASKS} return args.id + " for " + said.content.name;`),
      },
    ],
  });
});

const BASE = '/tenants/acme/servers/studio';
const post = async (path: string, body: object) => world.gantry.admin('POST', `${BASE}${path}`, body);
const accepted = (name: string) => ({ who: { action: 'accept', content: { name } } });

function streaming(body: object): Ask {
  const headers = {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
  };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}
const open = (path: string, body: object) => send(`${world.gantry.url}/api/v1${BASE}${path}`, streaming(body));
const named = (frames: readonly Frame[], event: string) =>
  frames.filter((frame) => frame.event === event).map(({ data }) => JSON.parse(data ?? ''));

describe('a try that asks', () => {
  it.each([
    ['a tool', '/tools/ask/try', {}, { content: [{ type: 'text', text: 'Hello Ada' }], isError: false }],
    [
      'a prompt',
      '/prompts/asks/try',
      {},
      { messages: [{ role: 'user', content: { type: 'text', text: 'I am Ada' } }] },
    ],
    ['a resource', '/resources/try', { uri: 'orders://7' }, { contents: [{ uri: 'orders://7', text: '7 for Ada' }] }],
  ])('is answered by the same call with the answers: %s', async (_what, path, body, result) => {
    const asked = await post(path, body);
    expect(asked.status).toBe(200);
    expect(asked.body).toMatchObject({
      inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?' } } },
      requestState: expect.any(String),
    });
    const { requestState } = asked.body;
    const ended = await post(path, { ...body, inputResponses: accepted('Ada'), requestState });
    expect([ended.status, ended.body]).toEqual([200, expect.objectContaining(result)]);
  });

  it('asks for whatever a client can be asked, in one round', async () => {
    const { body } = await post('/tools/ask_all/try', {});
    const methods = Object.entries(body.inputRequests).map(([key, request]) => [
      key,
      (request as Frame & { method: string }).method,
    ]);
    expect(Object.fromEntries(methods)).toEqual({
      link: 'elicitation/create',
      text: 'sampling/createMessage',
      roots: 'roots/list',
    });
    const inputResponses = {
      link: { action: 'accept' },
      text: { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } },
      roots: { roots: [{ uri: 'file:///a' }] },
    };
    const ended = await post('/tools/ask_all/try', { inputResponses, requestState: body.requestState });
    expect(ended.body.structuredContent).toEqual({ link: 'accept', text: 'hi', roots: 1 });
  });

  it('says so as the last event of a stream, and so does what follows', async () => {
    const asked = await open('/tools/ask/try', { arguments: {} }).answer;
    await asked.ended();
    const [question] = named(asked.frames.all, 'input_required');
    expect(question.inputRequests.who.method).toBe('elicitation/create');
    expect(named(asked.frames.all, 'result')).toEqual([]);
    const body = { arguments: {}, inputResponses: accepted('Ada'), requestState: question.requestState };
    const ended = await open('/tools/ask/try', body).answer;
    await ended.ended();
    expect(named(ended.frames.all, 'result')).toEqual([
      { content: [{ type: 'text', text: 'Hello Ada' }], isError: false },
    ]);
  });

  it('takes no state of other arguments, and says what to do', async () => {
    const { body } = await post('/resources/try', { uri: 'orders://7' });
    const { requestState } = body;
    const other = await post('/resources/try', { uri: 'orders://8', inputResponses: accepted('Ada'), requestState });
    expect([other.status, other.body.code]).toEqual([422, 'validation_failed']);
    expect(other.body.detail).toContain('Run it again from the start.');
  });
});

describe('a try of a prompt or resource', () => {
  it('gives messages, and contents', async () => {
    const greeted = await post('/prompts/greet%20all/try', { arguments: { who: 'Ada' } });
    expect(greeted.body.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet Ada' } }]);
    const read = await post('/resources/try', { uri: 'docs://readme' });
    expect(read.body).toEqual({ contents: [{ uri: 'docs://readme', mimeType: 'text/markdown', text: '# Hi' }] });
  });

  it('streams when asked to', async () => {
    const answer = await open('/resources/try', { uri: 'docs://readme' }).answer;
    await answer.ended();
    expect(named(answer.frames.all, 'result')[0].contents[0].text).toBe('# Hi');
  });

  it('fails in words for the person who edits it', async () => {
    const cases: [string, object, number, string][] = [
      ['/prompts/greet%20all/try', {}, 422, 'who is required'],
      ['/prompts/greet%20all/try', { arguments: { who: 5 } }, 422, 'The body has faults.'],
      ['/prompts/breaks/try', {}, 422, 'no ink'],
      ['/prompts/nothing/try', {}, 404, 'no such prompt'],
      ['/resources/try', { uri: 'docs://broken' }, 422, 'no paper'],
      ['/resources/try', { uri: 'docs://nothing' }, 404, 'no such resource'],
      ['/resources/try', {}, 422, 'The body has faults.'],
      ['/tools/nothing/try', {}, 404, 'no such tool'],
      ['/tools/ask/try', { inputResponses: 5 }, 422, 'The body has faults.'],
      ['/tools/ask/try', { requestState: 'made up' }, 422, 'Run it again from the start.'],
    ];
    for (const [path, body, status, words] of cases) {
      const answer = await post(path, body);
      expect([path, answer.status, answer.body.detail]).toEqual([path, status, expect.stringContaining(words)]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    }
  });

  it('stands in the call log as a call of the console', async () => {
    await post('/prompts/greet%20all/try', { arguments: { who: 'Ada' } });
    const logged = async () => (await world.gantry.admin('GET', '/tenants/acme/calls')).body.items;
    const call = expect.objectContaining({ source: 'console', method: 'prompts/get', server: 'studio' });
    await vi.waitFor(async () => expect(await logged()).toContainEqual(call), { timeout: 5_000, interval: 50 });
  });
});

describe('a try that is left', () => {
  it('is cancelled', async () => {
    const sent = open('/tools/held/try', { arguments: {} });
    const answer = await sent.answer;
    const held = await world.backend.arrived('/held/try');
    await answer.frames.first('its progress', ({ event }) => event === 'progress');
    answer.destroy();
    await seenAborted(held);
  });
});
