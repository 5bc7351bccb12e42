import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../harness/process.js';
import { Backend, seenAborted } from './backend.js';
import { bearer, ModernClient, SessionClient, textOf } from './clients.js';
import { code, http } from './documents.js';
import { type Answer, type Message, send } from './exchange.js';
import { privateHosts } from './private-hosts.js';
import { useWorld } from './world.js';

const MIB = 1024 * 1024;
const world = useWorld();
const hidden = new Backend();
let bad: ModernClient;
let neighbour: ModernClient;

/** The code of a case file is the body of a tool. */
const caseBody = (name: string) => `\n${readFileSync(new URL(`../cases/${name}.js`, import.meta.url), 'utf8')}\n`;

const short = { timeoutMs: 1_000 };
const codeTools = () => [
  code('loop', caseBody('sbx-loop'), short),
  code('microtasks', caseBody('sbx-microtask-loop'), short),
  code('memory', 'const all = []; for (;;) all.push(new Array(100_000).fill(all.length));', { timeoutMs: 10_000 }),
  code('recursion', 'const f = (n) => f(n + 1) + 1; return f(0);', short),
  code('never', 'await new Promise(() => {});', short),
  code('sleeps', 'await ctx.sleep(600_000);', short),
  code('flood', 'return "x".repeat(40_000_000);', { timeoutMs: 10_000 }),
  code('leaves', '(async () => { for (;;) await Promise.resolve(); })(); return "returned";', short),
  code('throws', 'ctx.progress(1); throw new Error("broken on purpose");'),
  code('escape', caseBody('sbx-escape')),
  code(
    'fetches',
    'try { return "reached " + (await ctx.fetch(args.url)).status; } catch (e) { return "refused: " + e.message; }',
  ),
];

const httpTools = (backend: string) => {
  const inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
  return [
    http('by_path', `${backend}/orders/{id}`, { inputSchema }),
    http('by_query', `${backend}/search`, { inputSchema }, { query: { q: '{id}' } }),
    http('by_header', `${backend}/header`, { inputSchema }, { headers: { 'X-Team': '{id}' } }),
    http('by_body', `${backend}/body`, { inputSchema }, { method: 'POST', body: { text: 'to {id}' } }),
    http('hangs', `${backend}/held/hangs`, short),
    http('resets', `${backend}/reset`),
    http('fails', `${backend}/status/500`),
    http('huge', `${backend}/huge`),
  ];
};

beforeAll(async () => {
  await hidden.start();
  const { gantry } = world;
  await gantry.server('acme', 'bad', { name: 'Bad', tools: [...codeTools(), ...httpTools(world.backend.url)] });
  bad = new ModernClient(gantry.mcpUrl('acme', 'bad'), world.key);
  await gantry.tenant('next-door');
  const tools = [
    code('code', 'return "fine";'),
    { name: 'template', description: 'x', inputSchema: { type: 'object' }, template: { text: 'fine' } },
  ];
  await gantry.server('next-door', 'good', { name: 'Good', tools });
  neighbour = new ModernClient(gantry.mcpUrl('next-door', 'good'), (await gantry.key('next-door')).key);
});
afterAll(() => hidden.stop());

async function outcome(answer: Answer | Promise<Answer>): Promise<{ isError: boolean; text: string }> {
  const message: Message = await (await answer).result();
  expect(message.error).toBeUndefined();
  return { isError: message.result.isError ?? false, text: textOf(message) };
}

describe('code', () => {
  it.each([
    ['loop', /limit of \d+ ms/],
    ['microtasks', /limit of \d+ ms/],
    ['never', /1000 ms|never|waits/i],
    ['sleeps', /1000 ms/],
    ['memory', /memory/i],
    ['recursion', /stack|recursion|depth/i],
    ['flood', /bytes|large|limit/i],
  ])('that does not end well (%s) is stopped, naming tool and limit', async (name, limit) => {
    const { isError, text } = await outcome(bad.call(name));
    expect(isError).toBe(true);
    expect(text).toContain(name);
    expect(text).toMatch(limit);
    expect(await outcome(neighbour.call('code'))).toEqual({ isError: false, text: 'fine' });
  });

  it('that loops, ten at once and again and again, keeps no other tenant from its calls (SBX-01)', async () => {
    let going = true;
    const loopers = Array.from({ length: 10 }, async (_, i) => {
      while (going) expect((await outcome(bad.call(i % 2 === 0 ? 'loop' : 'microtasks'))).isError).toBe(true);
    });
    try {
      for (const name of ['template', 'code', 'template', 'code', 'template', 'code']) {
        expect(await outcome(neighbour.call(name))).toEqual({ isError: false, text: 'fine' });
      }
    } finally {
      going = false;
    }
    await Promise.all(loopers);
  });

  it('that leaves a loop behind is answered, and the loop dies (SBX-02)', async () => {
    for (let i = 0; i < 3; i += 1) {
      const { text } = await outcome(bad.call('leaves'));
      expect(text).toMatch(/returned|leaves/);
    }
    expect(await outcome(neighbour.call('code'))).toEqual({ isError: false, text: 'fine' });
  });

  it('that throws after its stream began is answered on it, and harms no later call (SSE-05)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => bad.call('throws', {}, { id: i, meta: { progressToken: i } })),
    );
    for (const [i, answer] of answers.entries()) {
      expect(answer.streaming).toBe(true);
      const message = await answer.result();
      expect([message.id, message.result.isError, textOf(message)]).toEqual([
        i,
        true,
        expect.stringContaining('on purpose'),
      ]);
    }
  });

  it('finds no way out (SBX-03)', async () => {
    const { result } = await (await bad.call('escape')).result();
    const probes = result.structuredContent as Record<string, string>;
    expect(Object.keys(probes)).toHaveLength(6);
    for (const [name, found] of Object.entries(probes)) {
      expect([name, found]).toEqual([name, expect.stringMatching(/^(undefined$|refused: |import started$)/)]);
    }
  });

  it('reaches no private address, in whatever spelling (HTT-01)', async () => {
    const port = new URL(hidden.url).port;
    for (const host of privateHosts) {
      const { text } = await outcome(bad.call('fetches', { url: `http://${host}:${port}/secret` }));
      expect([host, text]).toEqual([host, expect.stringMatching(/^refused: /)]);
    }
    for (const url of [`${world.gantry.url}/healthz`, 'file:///etc/passwd', 'data:text/plain,x', `//${hidden.host}/`]) {
      expect([url, (await outcome(bad.call('fetches', { url }))).text]).toEqual([
        url,
        expect.stringMatching(/^refused: /),
      ]);
    }
    expect(hidden.seen.all).toEqual([]);
    expect((await outcome(bad.call('fetches', { url: `${world.backend.url}/open` }))).text).toBe('reached 200');
  });
});

describe('HTTP tools', () => {
  it('whose allowance is withdrawn reach their backend no more', async () => {
    const { gantry } = world;
    await gantry.tenant('allowed', { egressAllow: [hidden.host] });
    await gantry.server('allowed', 'one', { name: 'one', tools: [http('inside', `${hidden.url}/inside`)] });
    const client = new ModernClient(gantry.mcpUrl('allowed', 'one'), (await gantry.key('allowed')).key);
    expect((await outcome(client.call('inside'))).isError).toBe(false);
    expect(hidden.count('/inside')).toBe(1);
    await gantry.admin('PATCH', '/tenants/allowed', { limits: {} });
    const { isError, text } = await outcome(client.call('inside'));
    expect([isError, text]).toEqual([true, expect.stringContaining('inside')]);
    expect(hidden.count('/inside')).toBe(1);
  });

  it('never reach the ports of the platform, whatever is allowed', async () => {
    const { gantry } = world;
    await gantry.tenant('wide', { egressAllow: ['127.0.0.0/8'] });
    await gantry.server('wide', 'one', { name: 'one', tools: codeTools() });
    const client = new ModernClient(gantry.mcpUrl('wide', 'one'), (await gantry.key('wide')).key);
    expect((await outcome(client.call('fetches', { url: `${world.backend.url}/wide` }))).text).toBe('reached 200');
    const port = new URL(gantry.url).port;
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '[::1]', '0x7f.1']) {
      const { text } = await outcome(client.call('fetches', { url: `http://${host}:${port}/healthz` }));
      expect([host, text]).toEqual([host, expect.stringMatching(/^refused: /)]);
    }
  });

  it('keep an argument in its one segment of the path', async () => {
    const tricks = [
      '..',
      '.',
      '../admin',
      '%2e%2e',
      'a/../../x',
      '?x=1',
      '#f',
      'a\\b',
      '//evil',
      '@evil',
      'a\r\nX: y',
      'ü%',
      ' ',
    ];
    for (const id of tricks) {
      const from = world.backend.seen.all.length;
      const { isError } = await outcome(bad.call('by_path', { id }));
      const seen = world.backend.seen.all.slice(from);
      if (isError) {
        expect([id, seen]).toEqual([id, []]);
        continue;
      }
      const [{ target } = { target: '' }] = seen;
      expect([id, target]).toEqual([id, expect.stringMatching(/^\/orders\/[^/?#\\]+$/)]);
      expect([id, new URL(target, 'http://x').pathname.startsWith('/orders/')]).toEqual([id, true]);
      expect([id, decodeURIComponent(target.slice('/orders/'.length))]).toEqual([id, id]);
    }
  });

  it('keep an argument in its query parameter, its header and its string', async () => {
    const query = await outcome(bad.call('by_query', { id: 'a&admin=1#x' }));
    expect(query.isError).toBe(false);
    const asked = await world.backend.arrived('/search');
    expect([...new URL(asked.target, 'http://x').searchParams]).toEqual([['q', 'a&admin=1#x']]);
    const header = await outcome(bad.call('by_header', { id: 'a\r\nX-Admin: 1' }));
    if (!header.isError) expect((await world.backend.arrived('/header')).headers).not.toHaveProperty('x-admin');
    expect((await outcome(bad.call('by_body', { id: '", "admin": "1' }))).isError).toBe(false);
    expect(JSON.parse((await world.backend.arrived('/body')).body)).toEqual({ text: 'to ", "admin": "1' });
  });

  it('of a backend that hangs end at their limit, and let go of it (CAN-06)', async () => {
    const { isError, text } = await outcome(bad.call('hangs'));
    expect([isError, text]).toEqual([true, expect.stringMatching(/hangs.*1000 ms/s)]);
    await seenAborted(await world.backend.arrived('/held/hangs'));
  });

  it('of a backend that resets or fails say so', async () => {
    const reset = await outcome(bad.call('resets'));
    expect([reset.isError, reset.text]).toEqual([true, expect.stringContaining('resets')]);
    const failed = await outcome(bad.call('fails'));
    expect([failed.isError, failed.text]).toEqual([true, expect.stringContaining('500')]);
  });

  it('of a backend that sends 5 GB end early, within bounded memory', async () => {
    const before = world.gantry.residentBytes();
    const results = await Promise.all([1, 2, 3].map(() => outcome(bad.call('huge'))));
    for (const { isError, text } of results)
      expect([isError, text]).toEqual([true, expect.stringMatching(/huge.*bytes|huge.*large/s)]);
    expect(world.gantry.residentBytes() - before).toBeLessThan(250 * MIB);
    const session = await new SessionClient(bad.url, world.key).open();
    expect((await outcome(session.call('huge'))).isError).toBe(true);
  });
});

describe('the try-it endpoint', () => {
  const url = (name: string, server = 'kinds') =>
    `${world.gantry.url}/api/v1/tenants/acme/servers/${server}/tools/${name}/try`;
  const headers = { ...bearer(ADMIN_TOKEN), 'content-type': 'application/json' };
  const tryIt = (name: string, args: object, accept: string) =>
    send(url(name), { headers: { ...headers, accept }, body: JSON.stringify({ arguments: args }) });

  it('answers with the result', async () => {
    const answer = await tryIt('policy', { team: 'ops' }, 'application/json').answer;
    expect([answer.status, JSON.parse(await answer.body())]).toEqual([
      200,
      { content: [{ type: 'text', text: 'Rules of ops.' }], isError: false },
    ]);
    const wrong = await tryIt('policy', {}, 'application/json').answer;
    expect([wrong.status, JSON.parse(await wrong.body()).isError]).toEqual([200, true]);
    expect((await tryIt('nothing', {}, 'application/json').answer).status).toBe(404);
  });

  it('streams progress, then the result', async () => {
    const answer = await tryIt('steps', { n: 3 }, 'text/event-stream').answer;
    await answer.ended();
    expect(answer.frames.all.map(({ event, message }) => [event, message.progress ?? message.content[0].text])).toEqual(
      [
        ['progress', 1],
        ['progress', 2],
        ['progress', 3],
        ['result', 'stepped'],
      ],
    );
  });

  it.each(['held_code', 'held_http'])('cancels %s when the connection is closed', async (tool) => {
    for (const accept of ['text/event-stream', 'application/json']) {
      const at = `try-${tool}-${accept.slice(0, 4)}`;
      const sent = tryIt(tool, { at }, accept);
      const seen = await world.backend.arrived(`/held/${at}`);
      sent.destroy();
      await seenAborted(seen);
    }
  });

  it('writes its calls into the call log, as the console’s', async () => {
    await (await tryIt('policy', { team: 'logged' }, 'application/json').answer).body();
    await expect
      .poll(
        async () => {
          const { body } = await world.gantry.admin('GET', '/tenants/acme/calls?limit=50');
          return body.items.some(
            ({ source, tool, status }: Record<string, string>) =>
              source === 'console' && tool === 'policy' && status === 'ok',
          );
        },
        { timeout: 10_000, interval: 100 },
      )
      .toBe(true);
  });
});
