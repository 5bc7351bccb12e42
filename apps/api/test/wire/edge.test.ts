import { describe, expect, it, vi } from 'vitest';
import { bearer, JSON_POST, ModernClient, SessionClient, textOf } from './clients.js';
import { KINDS } from './documents.js';
import { type Answer, type Ask, ask, expectRefusal, refusal, send } from './exchange.js';
import { useWorld } from './world.js';

const MIB = 1024 * 1024;
const world = useWorld({ settings: { allowedOrigins: ['https://console.example'] } });
const client = () => new ModernClient(world.url, world.key);
const effects = () => world.backend.count('/effect');

/** A sound `tools/list` with some headers replaced. */
function listing(headers: Ask['headers'] = {}): Ask {
  return client().request('tools/list', {}, { headers });
}

describe('the route', () => {
  it('is served with and without a slash at its end, and never redirects (HTTP-06)', async () => {
    for (const url of [world.url, `${world.url}/`]) {
      expect((await ask(url, listing())).status).toBe(200);
      const refused = await ask(url, listing({ authorization: undefined }));
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Bearer /)]);
      const session = new SessionClient(url, world.key);
      expect((await session.initialize()).status).toBe(200);
    }
  });

  it('answers methods it does not serve 405 with Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND', 'SEARCH']) {
      const answer = await ask(world.url, { method, headers: bearer(world.key) });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, POST, DELETE, OPTIONS']);
    }
  });

  it('to an unknown tenant or server is 404, whoever asks (TEN)', async () => {
    const paths = [
      `acme/${'a'.repeat(2_000)}`,
      'acme/%zz',
      'acme/kinds/more',
      'acme',
      'acme/nothing',
      'nobody/kinds',
      'ACME/kinds',
      'acme/kinds%2f',
      'acme/%00',
    ];
    for (const path of paths) {
      const url = `${world.gantry.url}/mcp/${path}`;
      for (const authorization of [`Bearer ${world.key}`, undefined]) {
        const answer = await ask(url, listing({ authorization }));
        expect([path.slice(0, 20), answer.status]).toEqual([path.slice(0, 20), 404]);
      }
      expect((await ask(url, { method: 'GET' })).status).toBe(404);
    }
  });

  it('is served under known host names only', async () => {
    for (const host of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test:80', 'a b']) {
      expect([host, (await ask(world.url, listing({ host }))).status]).toEqual([host, 403]);
    }
    for (const host of ['localhost', 'localhost:9999', '127.0.0.1', '[::1]:80']) {
      expect([host, (await ask(world.url, listing({ host }))).status]).toEqual([host, 200]);
    }
  });
});

describe('origins', () => {
  it('that are foreign are refused on every method, and no tool runs (SEC-03, wire B15)', async () => {
    const bad = [
      'http://localhost.evil.test',
      'https://console.example.evil.test',
      'https://console.example:8443',
      'http://console.example',
      'https://console.example/',
      'null',
      '',
    ];
    const session = await new SessionClient(world.url, world.key).open();
    for (const origin of bad) {
      const call = await client().call('effect', {}, { headers: { origin } });
      expect([origin, call.status, call.headers['access-control-allow-origin']]).toEqual([origin, 403, undefined]);
      for (const method of ['GET', 'DELETE', 'OPTIONS']) {
        const answer = await ask(world.url, { method, headers: { ...session.headers, origin } });
        expect([origin, method, answer.status]).toEqual([origin, method, 403]);
      }
    }
    expect(effects()).toBe(0);
    expect((await session.ask('ping')).status).toBe(200);
  });

  it('that are allowed, and clients without one, are served (SEC-03)', async () => {
    for (const origin of ['https://console.example', world.gantry.url, undefined]) {
      expect((await client().call('effect', {}, { headers: { origin } })).status).toBe(200);
    }
    expect(effects()).toBe(3);
  });

  it('are granted on real answers: results, errors and streams (SEC-01)', async () => {
    const origin = 'https://console.example';
    const granted = (answer: Answer) => {
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      const exposed = String(answer.headers['access-control-expose-headers']).toLowerCase();
      expect(exposed).toContain('mcp-session-id');
      expect(exposed).toContain('www-authenticate');
      expect(String(answer.headers.vary).toLowerCase()).toContain('origin');
    };
    const opened = await new SessionClient(world.url, world.key).initialize({ origin });
    granted(opened);
    expect(opened.headers['mcp-session-id']).toBeDefined();
    granted(await client().ask('nope', {}, { headers: { origin } }));
    granted(await ask(world.url, listing({ origin, authorization: undefined })));
    granted(await client().call('steps', { n: 1 }, { headers: { origin }, meta: { progressToken: 1 } }));
    granted(await client().listen(undefined, { headers: { origin } }));
  });

  it('may ask first, without a token, for every header of the protocol (SEC-02)', async () => {
    const asked = [
      ...['authorization', 'content-type', 'accept', 'last-event-id', 'mcp-protocol-version', 'mcp-session-id'],
      ...['mcp-method', 'mcp-name', 'mcp-param-region'],
    ];
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await ask(world.url, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://console.example',
          'access-control-request-method': method,
          'access-control-request-headers': asked.join(','),
        },
      });
      expect([answer.status, await answer.body()]).toEqual([204, '']);
      expect(answer.headers['access-control-allow-origin']).toBe('https://console.example');
      expect(answer.headers['access-control-allow-methods']?.split(', ')).toContain(method);
      const allowed = answer.headers['access-control-allow-headers']?.toLowerCase().split(/\s*,\s*/);
      expect(allowed).toEqual(expect.arrayContaining(asked));
    }
  });
});

describe('credentials', () => {
  it('that are missing lead to the metadata of this very endpoint (AUTH-01, AUTH-02, AUTH-05)', async () => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const headers = { ...JSON_POST, 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' };
      const answer = await ask(world.url, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
      const url = /^Bearer resource_metadata="([^"]+)"/.exec(answer.headers['www-authenticate'] ?? '')?.[1];
      expect([method, answer.status, url]).toEqual([
        method,
        401,
        `${world.gantry.url}/.well-known/oauth-protected-resource/mcp/acme/kinds`,
      ]);
      const metadata = await fetch(url as string);
      expect([metadata.status, metadata.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^application\/json/),
      ]);
      expect(((await metadata.json()) as { resource: string }).resource).toBe(world.url);
    }
  });

  it('that are garbage are 401 with a challenge, never 500 (AUTH-06)', async () => {
    const garbage = [
      'Bearer a.b.c.d',
      'Bearer ...',
      `Bearer ${'k'.repeat(12_000)}`,
      'Bearer',
      'Bearer ',
      'Basic dXNlcjpwYXNz',
      `Bearer ${world.key}x`,
      `Bearer ${world.key.slice(0, -1)}`,
      `Bearer ${world.key.toUpperCase()}`,
      'Bearer eyJhbGciOiJub25lIn0.e30.',
      `Bearer ${world.key}, Bearer ${world.key}`,
    ];
    for (const authorization of garbage) {
      const answer = await ask(world.url, listing({ authorization }));
      expect([authorization.slice(0, 24), answer.status]).toEqual([authorization.slice(0, 24), 401]);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect((await ask(`${world.url}?access_token=${world.key}`, listing({ authorization: undefined }))).status).toBe(
      401,
    );
  });

  it('that are longer than any header may be are refused and hurt nobody (AUTH-06)', async () => {
    const answer = await ask(world.url, listing({ authorization: `Bearer ${'k'.repeat(20_000)}` }));
    expect([401, 431]).toContain(answer.status);
    expect((await ask(world.url, listing())).status).toBe(200);
  });

  it('that may only read are told which scope a call needs (AUTH-06)', async () => {
    const before = effects();
    const { key } = await world.gantry.key('acme', { scopes: ['mcp:read'] });
    const reader = new ModernClient(world.url, key);
    expect((await reader.ask('tools/list')).status).toBe(200);
    const answer = await reader.call('effect');
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toMatch(/error="insufficient_scope", scope="mcp:call"/);
    const session = await new SessionClient(world.url, key).open();
    expect((await session.call('effect')).status).toBe(403);
    expect(effects()).toBe(before);
    for (const scopes of [['tenant:read'], ['tenant:write'], ['keys:write']]) {
      const other = await world.gantry.key('acme', { scopes });
      expect((await new ModernClient(world.url, other.key).ask('tools/list')).status).toBe(401);
    }
  });
});

describe('bodies', () => {
  const post = (body: string | Buffer | undefined, headers: Ask['headers'] = {}) =>
    ask(world.url, { headers: { ...listing(headers).headers }, body });

  it('that are no JSON are 400 with -32700 and without an id (HTTP-04)', async () => {
    const broken = ['{"jsonrpc":', '', '\u0000', 'hello', Buffer.from([0x7b, 0x22, 0x97, 0x22, 0x7d])];
    for (const body of broken) {
      const answer = await post(body);
      expect(await refusal(answer)).toEqual([400, -32700]);
      expect((await answer.result()).id ?? null).toBeNull();
    }
    expect(await refusal(await post(undefined))).toEqual([400, -32700]);
  });

  it('may begin with a byte order mark (HTTP-04)', async () => {
    expect((await post(`\ufeff${listing().body}`)).status).toBe(200);
  });

  it('that are JSON and no message are 400 with -32600', async () => {
    const wrong = [
      ...['null', '1', '"x"', '{}', '[]', '[1]', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
      ...['{"jsonrpc":"2.0","id":null,"method":"ping"}', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
      ...['{"jsonrpc":"2.0","id":1,"method":5}', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ];
    for (const body of wrong) {
      expect([body.slice(0, 40), ...(await refusal(await post(body)))]).toEqual([body.slice(0, 40), 400, -32600]);
    }
  });

  it('must be declared as JSON, whatever the letter case and parameters (HTTP-03)', async () => {
    const ok = ['application/json', 'application/json; charset=utf-8', 'Application/JSON;CHARSET="UTF-8"'];
    for (const type of ok)
      expect([type, (await ask(world.url, listing({ 'content-type': type }))).status]).toEqual([type, 200]);
    for (const type of ['text/plain', 'application/jsonx', 'text/plain; x=application/json', undefined]) {
      expect([type, (await ask(world.url, listing({ 'content-type': type }))).status]).toEqual([type, 415]);
    }
  });

  it('are answered in a form the client takes (HTTP-02)', async () => {
    const any = ['*/*', 'application/*, text/*', undefined, 'text/event-stream, application/json'];
    for (const accept of [
      ...any,
      'application/json;q=0.5, text/event-stream;q=0.9',
      'application/json',
      'text/event-stream',
    ]) {
      const listed = await ask(world.url, listing({ accept }));
      expect([accept, listed.status]).toEqual([accept, 200]);
      expect((await listed.result()).result.tools).toHaveLength(KINDS.length);
      const called = await client().call('steps', { n: 2 }, { headers: { accept }, meta: { progressToken: 1 } });
      expect([accept, called.streaming]).toEqual([accept, accept !== 'application/json']);
      expect(textOf(await called.result())).toBe('stepped');
    }
    expect((await ask(world.url, listing({ accept: 'text/html' }))).status).toBe(406);
  });

  it('of 250 kB pass (HTTP-09)', async () => {
    const answer = await client().call('echo', { filler: 'x'.repeat(250_000) });
    expect((await answer.result()).result.structuredContent.args.filler).toHaveLength(250_000);
  });

  it('over the limit are 413, declared or not, and do not fill the memory (HTTP-09, wire S8)', async () => {
    const call = client().request('tools/call', { name: 'effect', arguments: { filler: 'x'.repeat(20 * MIB) } });
    const before = effects();
    const five = client().request('tools/call', { name: 'effect', arguments: { filler: 'x'.repeat(5 * MIB) } });
    for (const chunked of [false, true]) {
      expect(await refusal(await ask(world.url, { ...five, chunked }))).toEqual([413, -32600]);
    }
    const rss = world.gantry.residentBytes();
    for (const chunked of [false, true]) {
      for (let i = 0; i < 3; i += 1) {
        expect(await refusal(await ask(world.url, { ...call, chunked }))).toEqual([413, -32600]);
      }
    }
    expect(world.gantry.residentBytes() - rss).toBeLessThan(60 * MIB);
    expect(effects()).toBe(before);
    expect((await ask(world.url, listing())).status).toBe(200);
  });
});

describe('ids', () => {
  it('beyond what a number can hold are echoed exactly or refused (RPC-02)', async () => {
    for (const id of ['9007199254740993', '9007199254740994', '3.14', '-9007199254740993', '1e400']) {
      const { headers, body } = listing();
      const answer = await ask(world.url, { headers, body: (body as string).replace(/"id":\d+/, `"id":${id}`) });
      const text = await answer.body();
      if (answer.status === 200) expect(text).toContain(`"id":${id}`);
      else expect(await refusal(answer)).toEqual([400, -32600]);
    }
  });

  it('keep their type in sessions too (RPC-01)', async () => {
    const session = await new SessionClient(world.url, world.key).open();
    for (const id of ['1', 1, 0, '', 'a/b', -5]) {
      expect((await (await session.call('policy', { team: 'x' }, { id })).result()).id).toBe(id);
    }
  });

  it('used twice at once in one session swap nothing and hang nothing (RPC-03)', async () => {
    const session = await new SessionClient(world.url, world.key).open();
    const first = session.start('held_http', { at: 'rpc-03' }, { id: 1 });
    const held = await world.backend.arrived('/held/rpc-03');
    const second = await session.call('policy', { team: 'second' }, { id: 1 });
    if (second.status === 200) expect(textOf(await second.result())).toBe('Rules of second.');
    else expect(await refusal(second)).toEqual([400, -32600]);
    held.answer({ of: 'first' });
    expect(textOf(await (await first.answer).result())).toContain('first');
  });
});

describe('limits', () => {
  it('on calls a minute answer 429 with Retry-After, and leave other tenants alone', async () => {
    await world.gantry.tenant('busy');
    const tools = [{ name: 'one', description: 'one', inputSchema: { type: 'object' }, template: { text: '1' } }];
    await world.gantry.server('busy', 'one', { name: 'one', tools });
    const { key } = await world.gantry.key('busy');
    const busy = new ModernClient(world.gantry.mcpUrl('busy', 'one'), key);
    expect((await busy.call('one')).status).toBe(200);
    await world.gantry.admin('PATCH', '/tenants/busy', { limits: { callsPerMinute: 3 } });
    const answers: Answer[] = [];
    // A minute may end in between, and gives three more.
    for (let i = 0; i < 8; i += 1) answers.push(await busy.call('one'));
    const refused = answers.find(({ status }) => status !== 200) as Answer;
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    const { id, error } = await refused.result();
    expect(id).toBeDefined();
    expect(error.data).toMatchObject({ limit: 'callsPerMinute', max: 3 });
    expect((await busy.ask('tools/list')).status).toBe(200);
    expect((await client().call('policy', { team: 'x' })).status).toBe(200);
  });

  it('on listens answer 429 until one of them ends (MEM-04, wire S8)', async () => {
    await world.gantry.tenant('listeners', { listens: 2 });
    await world.gantry.server('listeners', 'one', { name: 'one' });
    const { key } = await world.gantry.key('listeners');
    const listener = new ModernClient(world.gantry.mcpUrl('listeners', 'one'), key);
    const open = [await listener.listen(), await listener.listen()];
    const third = await listener.listen();
    expect(third.status).toBe(429);
    expect(third.headers['retry-after']).toMatch(/^\d+$/);
    expect(open.map(({ messages }) => messages.length)).toEqual([1, 1]);
    open[0]?.destroy();
    await vi.waitFor(async () => expect((await listener.listen()).status).toBe(200), { timeout: 2_000, interval: 10 });
    open[1]?.destroy();
  });
});

describe('a connection', () => {
  it('that breaks off in the middle of a body hurts nobody', async () => {
    const half = send(world.url, {
      headers: { ...listing().headers, 'content-length': '1000' },
      chunked: true,
      body: '{',
    });
    half.destroy();
    await expect(half.answer).rejects.toThrow();
    expect((await ask(world.url, listing())).status).toBe(200);
    await expectRefusal(await ask(world.url, listing({ accept: 'text/html' })));
  });
});
