import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../protocol/revisions.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureResource, fixtureTemplate, fullSnapshot, reads } from '../../testing/fixture-offers.js';
import { fixtureSnapshot } from '../../testing/fixture-server.js';
import type { Json } from '../../testing/json.js';
import { ScriptedClient } from '../../testing/scripted-client.js';
import { MAX_URI_LENGTH } from '../resource-index.js';

const RESULT_LENGTH = 2_000;
const REVISIONS = [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
const isModern = (revision: string) => MODERN_REVISIONS.includes(revision as never);

async function clientOf(revision: string, snapshot = fullSnapshot()) {
  const clock = new FakeClock();
  const endpoint = createMcpEndpoint({ clock, limits: { resultLength: RESULT_LENGTH } });
  const client = new ScriptedClient(endpoint, { snapshot });
  if (!isModern(revision)) await client.open(revision);
  const start = (method: string, params: Record<string, Json> = {}) =>
    isModern(revision) ? client.modern(method, params) : client.request(method, params);
  const ask = async (method: string, params: Record<string, Json> = {}) => {
    const answer = await start(method, params).finished();
    return { status: answer.status, ...answer.response };
  };
  const read = (uri: string) => ask('resources/read', { uri });
  return { client, clock, ask, start, read };
}

describe.each(REVISIONS)('resources in %s', (revision) => {
  const notFound = isModern(revision) ? -32602 : -32002;
  const failed = isModern(revision) ? -32603 : -32002;

  it('walks both lists two at a time (seed D1, seed D3, seed H1, wire B30)', async () => {
    const { ask } = await clientOf(revision, fullSnapshot({ pageSize: 2 }));
    const walk = async (method: string, member: string, key: string) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { result } = await ask(method, { cursor });
        seen.push(...result[member].map((item: Json) => item[key]));
        cursor = result.nextCursor;
      } while (cursor !== undefined);
      return seen;
    };
    const uris = ['readme', 'blob', 'boom', 'crash', 'unencodable', 'empty', 'count', 'block'];
    expect(await walk('resources/list', 'resources', 'uri')).toEqual(uris.map((name) => `docs://${name}`));
    expect(await walk('resources/templates/list', 'resourceTemplates', 'uriTemplate')).toEqual([
      'orders://{id}',
      'orders://{id}/lines',
      'search://items{?q,limit}',
    ]);
  });

  it('goes past the end to an empty last page when the list has shrunk (seed H2)', async () => {
    const { client, ask } = await clientOf(revision, fullSnapshot({ pageSize: 2 }));
    const { nextCursor } = (await ask('resources/list')).result;
    client.snapshot = fixtureSnapshot([], { pageSize: 2 }, { resources: [] });
    const { result } = await ask('resources/list', { cursor: nextCursor });
    expect([result.resources, result.nextCursor]).toEqual([[], undefined]);
    expect((await ask('resources/templates/list', { cursor: nextCursor })).error.code).toBe(-32602);
  });

  it('shows a URI beyond ASCII encoded, and finds it either way (MOD-02)', async () => {
    const drawn = fixtureResource('kb://設計/1', (_v, _c, { uri }) => reads(uri, 'drawn'));
    const family = fixtureTemplate('kb://図/{id}', ({ id }, _c, { uri }) => reads(uri, id as string));
    const offers = { resources: [drawn], resourceTemplates: [family] };
    const { ask, read } = await clientOf(revision, fixtureSnapshot([], {}, offers));
    const encoded = 'kb://%E8%A8%AD%E8%A8%88/1';
    expect((await ask('resources/list')).result.resources).toMatchObject([{ uri: encoded }]);
    for (const uri of ['kb://設計/1', encoded]) {
      expect((await read(uri)).result.contents).toMatchObject([{ uri: encoded, text: 'drawn' }]);
    }
    expect((await read('kb://図/é')).result.contents).toMatchObject([{ uri: 'kb://%E5%9B%B3/%C3%A9', text: 'é' }]);
  });

  it('reads text and blobs, and whatever fits a template (seed D2)', async () => {
    const { read } = await clientOf(revision);
    expect((await read('docs://readme')).result.contents).toEqual([
      { uri: 'docs://readme', mimeType: 'text/plain', text: '# Hi' },
    ]);
    expect((await read('docs://blob')).result.contents[0].blob).toBe('AA==');
    const variables = async (uri: string) => JSON.parse((await read(uri)).result.contents[0].text);
    expect(await variables('orders://a%20b')).toEqual({ id: 'a b' });
    expect(await variables('orders://7/lines')).toEqual({ id: '7' });
    expect(await variables('search://items?limit=5')).toEqual({ limit: '5' });
  });

  it('takes a resource of exactly that URI first, then templates in their order', async () => {
    const says =
      (word: string) =>
      (_v: object, _c: object, { uri }: { uri: string }) =>
        reads(uri, word);
    const offers = {
      resources: [fixtureResource('docs://a/exact', says('resource'))],
      resourceTemplates: [
        fixtureTemplate('docs://a/{v}', says('first')),
        fixtureTemplate('docs://{+v}', says('second')),
      ],
    };
    const { read } = await clientOf(revision, fixtureSnapshot([], {}, offers));
    const word = async (uri: string) => (await read(uri)).result.contents[0].text;
    expect([await word('docs://a/exact'), await word('docs://a/other'), await word('docs://b/c')]).toEqual([
      'resource',
      'first',
      'second',
    ]);
  });

  it('says that a resource is not there, never with empty contents (seed D2, wire B29, wire C25)', async () => {
    const { read, ask } = await clientOf(revision);
    for (const uri of ['docs://nothing', 'orders://a/b/c', '']) {
      const { status, error } = await read(uri);
      expect([status, error.code, error.data]).toEqual([200, notFound, { uri }]);
    }
    expect((await read('docs://empty')).error).toMatchObject({ code: failed, data: { uri: 'docs://empty' } });
    for (const params of [{}, { uri: 5 }, { uri: `docs://${'x'.repeat(MAX_URI_LENGTH)}` }]) {
      expect((await ask('resources/read', params)).error.code).toBe(-32602);
    }
  });

  it('tells a failure in the words of the resource, and nothing of a crash (seed D2)', async () => {
    const { read } = await clientOf(revision);
    expect((await read('docs://boom')).error).toEqual({
      code: failed,
      message: 'the disk is away',
      data: { uri: 'docs://boom' },
    });
    for (const uri of ['docs://crash', 'docs://unencodable']) {
      const { error } = await read(uri);
      expect(error.code).toBe(-32603);
      expect(error.message).not.toContain('secret');
    }
  });

  it('names the limit when reading takes too long', async () => {
    const { start, clock } = await clientOf(revision);
    const answer = start('resources/read', { uri: 'docs://block' });
    clock.advance(5_000);
    expect((await answer.finished()).response.error).toEqual({
      code: failed,
      message: 'Resource docs://block was stopped: its time limit of 5000 ms is over.',
      data: { uri: 'docs://block' },
    });
  });

  it('answers contents over the limit with an error that names it', async () => {
    const long = fixtureResource('docs://long', (_v, _c, { uri }) => reads(uri, 'x'.repeat(RESULT_LENGTH)));
    const { read } = await clientOf(revision, fixtureSnapshot([], {}, { resources: [long] }));
    const { error } = await read('docs://long');
    expect(error.code).toBe(-32603);
    expect(error.message).toMatch(/^The result of resource docs:\/\/long is too large: \d+ characters/);
  });
});

describe('resources/read', () => {
  it('lets stateful resources of a session take turns with its state (seed D2)', async () => {
    const { read } = await clientOf('2025-06-18');
    const answers = await Promise.all([1, 2, 3].map(() => read('docs://count')));
    expect(answers.map(({ result }) => result.contents[0].text)).toEqual(['1', '2', '3']);
  });

  it('compares Mcp-Name with the URI, base64 form included (wire C5, MOD-02)', async () => {
    const resources = [fixtureResource('kb://設計/1', (_v, _c, { uri }) => reads(encodeURI(uri), 'plan'))];
    const { client } = await clientOf('2026-07-28', fixtureSnapshot([], {}, { resources }));
    const read = async (headers = {}) => {
      const answer = await client.modern('resources/read', { uri: 'kb://設計/1' }, { headers }).finished();
      return [answer.status, answer.message.error?.code];
    };
    expect(await read()).toEqual([200, undefined]);
    expect(await read({ 'mcp-name': 'kb://x' })).toEqual([400, -32020]);
    expect(await read({ 'mcp-name': undefined })).toEqual([400, -32020]);
    expect(await read({ 'mcp-name': '=?base64?a2I6?x?=' })).toEqual([400, -32020]);
  });

  it('aborts the reading when a stateless client leaves (wire C26)', async () => {
    let signal: AbortSignal | undefined;
    const slow = fixtureResource('docs://slow', (_v, context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    const { client } = await clientOf('2026-07-28', fixtureSnapshot([], {}, { resources: [slow] }));
    client.modern('resources/read', { uri: 'docs://slow' }).disconnect();
    expect(signal?.aborted).toBe(true);
  });

  it('asks for rights once the resource is known', async () => {
    const asked: string[] = [];
    const authorize = (method: string, { uri }: Record<string, unknown>) => {
      asked.push(`${method} ${uri}`);
      return { status: 403, code: -32600, message: 'no' };
    };
    const client = new ScriptedClient(createMcpEndpoint(), {
      snapshot: fullSnapshot(),
      host: { hooks: { authorize } },
    });
    client.modern('resources/read', { uri: 'docs://nothing' });
    expect(client.modern('resources/read', { uri: 'docs://readme' }).status).toBe(403);
    expect(asked).toEqual(['resources/read docs://readme']);
  });

  it('answers at once, with no timer armed, what needs no time', async () => {
    const { client, clock } = await clientOf('2026-07-28');
    const before = clock.pending;
    expect(client.modern('resources/read', { uri: 'docs://readme' }).done).toBe(true);
    expect(clock.pending).toBe(before);
  });
});
