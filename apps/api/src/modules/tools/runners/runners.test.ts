import { serverDocumentSchema } from '@gantry/contracts';
import type { RunContext } from '@gantry/mcp-core';
import { Detached, RunFailure } from '@gantry/mcp-core';
import { describe, expect, it, vi } from 'vitest';
import { EgressGuard } from '../../../infra/egress/index.js';
import { buildSnapshot } from '../catalogue/snapshot.js';
import { type CodeRunner, WantsToDetach } from './code/index.js';
import { type GuestFetch, HttpRunner } from './http/index.js';
import { Runners } from './runners.js';
import { TemplateRunner } from './template/index.js';

const context = { signal: new AbortController().signal } as RunContext;
const facts = { requestId: 1 };
const published = {
  tenantId: 't1',
  tenantSlug: 'acme',
  tenantLimits: {},
  serverId: 's1',
  serverSlug: 'orders',
  revision: 1,
};

function setUp(lists: object) {
  const code = {
    runPrompt: vi.fn(async () => ({ messages: [] })),
    runResource: vi.fn(async ({ resource }: { resource: { uri: string } }) => ({
      contents: [{ uri: resource.uri, text: 'by code' }],
    })),
  };
  const secrets = { open: async () => 'unused' };
  const runners = new Runners({
    template: new TemplateRunner(),
    http: new HttpRunner({ guard: new EgressGuard(), secrets }),
    code: code as unknown as CodeRunner,
    jobCode: code as unknown as CodeRunner,
    guestFetch: {} as GuestFetch,
  });
  const snapshot = buildSnapshot({
    ...published,
    document: serverDocumentSchema.parse({ name: 'Orders', ...lists }),
  });
  const get = (args: Record<string, string> = {}) =>
    runners.get({ prompt: snapshot.prompts![0]!, arguments: args, ...facts }, context);
  const read = (uri: string, variables: Record<string, string> = {}) =>
    runners.read(
      { resource: (snapshot.resources?.[0] ?? snapshot.resourceTemplates?.[0])!, uri, variables, ...facts },
      context,
    );
  return { code, get, read };
}

describe('the code of a tool', () => {
  const outcome = { content: [{ type: 'text', text: 'ran' }] };
  const detaches = new WantsToDetach({}, undefined, { pay: 'receipt' });

  /** Runs it inline, or as a job, in sandboxes that are told apart. */
  function run(answer: object, asJob?: boolean) {
    const [code, jobCode] = [vi.fn(async () => answer), vi.fn(async () => answer)];
    const parts = { code: { run: code }, jobCode: { run: jobCode } } as unknown as ConstructorParameters<
      typeof Runners
    >[0];
    const { tools } = buildSnapshot({
      ...published,
      document: serverDocumentSchema.parse({
        name: 'Orders',
        tools: [{ name: 't', inputSchema: { type: 'object' }, code: { source: 's' }, timeoutMs: 77 }],
      }),
    });
    const call = { tool: tools[0]!, arguments: {}, ...facts, ...(asJob && { asJob }) };
    return { code, jobCode, answered: new Runners(parts).run(call, context) };
  }

  it('runs with the limits of a call that is waited for', async () => {
    const { code, jobCode, answered } = run(outcome);
    expect(await answered).toBe(outcome);
    expect(code).toHaveBeenCalledWith(expect.objectContaining({ limits: { wallMs: 77 } }));
    expect(jobCode).not.toHaveBeenCalled();
  });

  it('computes for longer as a job, in sandboxes that no waiting call shares', async () => {
    const { code, jobCode, answered } = run(outcome, true);
    expect(await answered).toBe(outcome);
    expect(jobCode).toHaveBeenCalledWith(expect.objectContaining({ limits: { wallMs: 77, cpuMs: 60_000 } }));
    expect(code).not.toHaveBeenCalled();
  });

  it('that detaches gives what its effects came to', async () => {
    const { answered } = run(detaches);
    const given = await answered;
    expect(given).toBeInstanceOf(Detached);
    expect(given).toEqual(new Detached({ pay: 'receipt' }));
  });
});

describe('a prompt', () => {
  const messages = [
    { role: 'user', content: { type: 'text', text: 'Greet {who} {{who}} for {why}' } },
    { role: 'assistant', content: { type: 'resource_link', uri: 'a://{who}', name: 'of {who}' } },
  ];

  it('fills the slots of its messages; a missing argument reads as nothing', () => {
    const { get } = setUp({ prompts: [{ name: 'p', description: 'Greets.', messages }] });
    expect(get({ who: 'Ada' })).toEqual({
      description: 'Greets.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Greet Ada {who} for ' } },
        { role: 'assistant', content: { type: 'resource_link', uri: 'a://Ada', name: 'of Ada' } },
      ],
    });
  });

  it('runs its code with its arguments and its own time limit', async () => {
    const { get, code } = setUp({ prompts: [{ name: 'p', timeoutMs: 77, code: { source: 'src' } }] });
    await get({ a: 'b' });
    expect(code.runPrompt).toHaveBeenCalledWith(
      expect.objectContaining({
        promptName: 'p',
        tenantId: 't1',
        source: 'src',
        arguments: { a: 'b' },
        limits: { wallMs: 77 },
        context,
      }),
    );
  });
});

describe('a resource', () => {
  it('is the text or blob that stands in the document, braces and all', () => {
    const text = setUp({ resources: [{ uri: 'a:1', name: 'A', mimeType: 'text/markdown', text: '# {id}' }] });
    expect(text.read('a:1')).toEqual({ contents: [{ uri: 'a:1', mimeType: 'text/markdown', text: '# {id}' }] });
    const blob = setUp({ resources: [{ uri: 'a:1', name: 'A', blob: 'aGk=' }] });
    expect(blob.read('a:1')).toEqual({ contents: [{ uri: 'a:1', blob: 'aGk=' }] });
    expect(setUp({ resources: [{ uri: 'a:1', name: 'A', text: '' }] }).read('a:1')).toEqual({
      contents: [{ uri: 'a:1', text: '' }],
    });
  });

  it('runs its code', async () => {
    const { read, code } = setUp({ resources: [{ uri: 'a:1', name: 'A', mimeType: 'x/y', code: { source: 'src' } }] });
    expect(await read('a:1')).toEqual({ contents: [{ uri: 'a:1', text: 'by code' }] });
    expect(code.runResource).toHaveBeenCalledWith(
      expect.objectContaining({ resource: { uri: 'a:1', mimeType: 'x/y' }, arguments: {}, limits: { wallMs: 30_000 } }),
    );
  });

  it('whose address may be reached no more says so', () => {
    const { read } = setUp({ resources: [{ uri: 'a:1', name: 'A', http: { url: 'http://127.0.0.1:1/' } }] });
    expect(() => read('a:1')).toThrow(RunFailure);
    expect(() => read('a:1')).toThrow(/^Resource "a:1" cannot be read: \/url: /);
  });
});

describe('a resource template', () => {
  it('fills its text with the variables of the URI', () => {
    const { read } = setUp({ resourceTemplates: [{ uriTemplate: 'a:{id}', name: 'A', text: 'Order {id}{gone}' }] });
    expect(read('a:7', { id: '7' })).toEqual({ contents: [{ uri: 'a:7', text: 'Order 7' }] });
  });

  it('gives its code the variables as arguments', async () => {
    const { read, code } = setUp({ resourceTemplates: [{ uriTemplate: 'a:{id}', name: 'A', code: { source: 's' } }] });
    await read('a:7', { id: '7' });
    expect(code.runResource).toHaveBeenCalledWith(expect.objectContaining({ arguments: { id: '7' } }));
  });
});
