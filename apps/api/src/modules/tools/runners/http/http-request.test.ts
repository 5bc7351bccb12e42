import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Cleanups, httpKit, memorySecrets, textOf } from '../../../../../test/stubs/http-kit.js';
import { type HttpStub, startHttpStub } from '../../../../../test/stubs/start-http-stub.js';

const cleanups = new Cleanups();
let stub: HttpStub;

beforeAll(async () => {
  stub = await startHttpStub();
});
beforeEach(() => stub.reset());
afterEach(() => cleanups.run());
afterAll(() => stub.stop());

/** What `/echo` saw. */
async function echo(spec: Record<string, unknown>, args: Record<string, unknown> = {}, secrets = memorySecrets({})) {
  const { call } = httpKit(cleanups, { secrets: secrets.source });
  const outcome = await call({ url: `${stub.url}/echo`, ...spec }, args);
  expect(outcome.isError, textOf(outcome)).toBeUndefined();
  return outcome.structuredContent as { method: string; target: string; headers: Record<string, string>; body: string };
}

describe('the request', () => {
  it('takes path arguments from the URL and sends the rest of a GET in the query', async () => {
    const seen = await echo(
      { url: `${stub.url}/echo/{id}` },
      { id: 'a/b', n: 1, on: true, tags: ['x y', 'z'], o: { k: 1 }, gone: null },
    );
    expect(seen).toMatchObject({ method: 'GET', body: '' });
    expect(seen.target).toBe('/echo/a%2Fb?n=1&on=true&tags=x%20y&tags=z&o=%7B%22k%22%3A1%7D');
  });

  it('sends the rest of a POST as JSON', async () => {
    const seen = await echo({ method: 'POST', url: `${stub.url}/echo/{id}` }, { id: 1, name: 'Zoë', list: [1] });
    expect(seen.target).toBe('/echo/1');
    expect(seen.headers['content-type']).toBe('application/json');
    expect(JSON.parse(seen.body)).toEqual({ name: 'Zoë', list: [1] });
  });

  it('sends the rest of a DELETE in the query, and an explicit body when there is one', async () => {
    expect((await echo({ method: 'DELETE' }, { force: true })).target).toBe('/echo?force=true');
    expect(await echo({ method: 'DELETE', body: { ids: '{ids}' } }, { ids: [1, 2], x: 1 })).toMatchObject({
      target: '/echo',
      body: '{"ids":[1,2]}',
    });
  });

  it('follows an explicit query and headers, and leaves out what has no argument', async () => {
    const seen = await echo(
      {
        query: { expand: '{expand}', q: 'id:{id}', gone: '{gone}' },
        headers: { 'X-Id': '{id}', 'X-Gone': '{gone}', 'X-Mix': 'v{gone}' },
      },
      { expand: ['a', 'b'], id: 7, other: 'not sent' },
    );
    expect(seen.target).toBe('/echo?expand=a&expand=b&q=id%3A7');
    expect(seen.headers).toMatchObject({ 'x-id': '7', 'x-mix': 'v' });
    expect(seen.headers['x-gone']).toBeUndefined();
  });

  it('builds a body from a template and keeps the types of whole slots', async () => {
    const body = {
      id: '{id}',
      note: 'n {id}',
      gone: '{gone}',
      list: ['{gone}', '{flag}'],
      fixed: 3,
      deep: { o: '{o}' },
      lit: '{{x}}',
    };
    const seen = await echo({ method: 'PUT', body }, { id: 7, flag: false, o: { a: null }, unmapped: 1 });
    expect(JSON.parse(seen.body)).toEqual({
      id: 7,
      note: 'n 7',
      list: [null, false],
      fixed: 3,
      deep: { o: { a: null } },
      lit: '{x}',
    });
  });

  it('sends no body when told so, and forms and text when the content type says so', async () => {
    expect((await echo({ method: 'POST', body: 'none' }, { a: 1 })).body).toBe('');
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await echo({ method: 'POST', headers: form }, { a: 'x y', b: [1, 2] })).body).toBe('a=x%20y&b=1&b=2');
    expect(
      (await echo({ method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hi {a}' }, { a: 'é' })).body,
    ).toBe('hi é');
    expect((await echo({ method: 'POST', body: 'hi {a}' }, { a: 1 })).body).toBe('"hi 1"');
    expect((await echo({ method: 'POST', body: '{a}' }, { a: [1] })).body).toBe('[1]');
  });

  it('puts lists and objects into the query in the style that is named for them (OAS-02, OAS-03)', async () => {
    const queryStyles = {
      csv: { explode: false },
      pipe: { style: 'pipeDelimited' },
      space: { style: 'spaceDelimited' },
      filter: { style: 'deepObject' },
      spread: { style: 'form' },
    };
    const args = {
      csv: ['a,b&c', 'd'],
      multi: ['a', 'b'],
      pipe: [1, 2],
      space: ['x', 'y'],
      filter: { min: 1, kind: 'x', deep: { list: [1, 2] }, gone: null },
      spread: { one: 1, two: 'zwei' },
      none: [],
    };
    const { target } = await echo({ queryStyles }, args);
    expect(target.split('?')[1]?.split('&')).toEqual([
      'csv=a%2Cb%26c,d',
      'multi=a',
      'multi=b',
      'pipe=1%7C2',
      'space=x%20y',
      'filter%5Bmin%5D=1',
      'filter%5Bkind%5D=x',
      'filter%5Bdeep%5D%5Blist%5D=1',
      'filter%5Bdeep%5D%5Blist%5D=2',
      'one=1',
      'two=zwei',
    ]);
    const mapped = await echo(
      { query: { tags: '{list}' }, queryStyles: { tags: { explode: false } } },
      { list: ['a', 'b'] },
    );
    expect(mapped.target).toBe('/echo?tags=a,b');
    expect((await echo({ queryStyles }, { csv: [], filter: {}, spread: {} })).target).toBe('/echo');
  });

  it('sends forms, text and bytes as their type says (OAS-06)', async () => {
    const form = await echo({ method: 'POST', bodyType: 'form' }, { q: 'x y', page: 2, gone: null });
    expect([form.headers['content-type'], form.body]).toEqual(['application/x-www-form-urlencoded', 'q=x%20y&page=2']);
    const text = await echo({ method: 'POST', bodyType: 'text', body: 'hi {a}' }, { a: 'é' });
    expect([text.headers['content-type'], text.body]).toEqual(['text/plain; charset=utf-8', 'hi é']);
    const binary = await echo(
      { method: 'PUT', bodyType: 'binary', body: '{data}', headers: { 'Content-Type': 'text/csv' } },
      { data: Buffer.from('a,b\n').toString('base64') },
    );
    expect([binary.headers['content-type'], binary.body]).toEqual(['text/csv', 'a,b\n']);
  });

  it('sends the parts of a multipart form, files from base64 and text, and no name that breaks out of its quotes (OAS-06)', async () => {
    const body = {
      note: '{note}',
      tags: '{tags}',
      about: '{about}',
      photo: { $file: { base64: '{photo}', name: '{name}', type: 'image/png' } },
      log: { $file: { text: '{log}' } },
      gone: { $file: { base64: '{gone}' } },
    };
    const args = {
      note: 'é',
      tags: ['a', 'b'],
      about: { n: 1 },
      photo: Buffer.from('PNG!').toString('base64url'),
      name: 'a"\r\nX-Evil: 1.png',
      log: 'line',
    };
    const seen = await echo({ method: 'POST', bodyType: 'multipart', body }, args);
    const boundary = /^multipart\/form-data; boundary=(gantry-[0-9a-f]{36})$/.exec(
      seen.headers['content-type'] ?? '',
    )?.[1];
    expect(seen.body.split(`--${boundary}`).map((part) => part.trim().split('\r\n').join('|'))).toEqual([
      '',
      'Content-Disposition: form-data; name="note"||é',
      'Content-Disposition: form-data; name="tags"||a',
      'Content-Disposition: form-data; name="tags"||b',
      'Content-Disposition: form-data; name="about"|Content-Type: application/json||{"n":1}',
      'Content-Disposition: form-data; name="photo"; filename="a%22%0D%0AX-Evil: 1.png"|Content-Type: image/png||PNG!',
      'Content-Disposition: form-data; name="log"; filename="log"|Content-Type: application/octet-stream||line',
      '--',
    ]);
  });

  it.each([
    ['a file that is not base64', { photo: '%%%' }, /the file "photo" has to be base64/],
    ['a media type that is none', { photo: 'aGk=', type: 'a\r\nb' }, /the type of the file "photo" is no media type/],
  ])('is not sent with %s', async (_what, args, words) => {
    const body = { photo: { $file: { base64: '{photo}', type: '{type}' } } };
    const { call } = httpKit(cleanups);
    const outcome = await call({ method: 'POST', url: `${stub.url}/echo`, bodyType: 'multipart', body }, args);
    expect([outcome.isError, textOf(outcome)]).toEqual([true, expect.stringMatching(words)]);
    expect(await stub.log()).toHaveLength(0);
  });

  it.each([['a\r\nX-Evil: 1'], ['a\nb'], ['a\u0000b'], ['€']])('refuses %j in a header value', async (value) => {
    const { call } = httpKit(cleanups);
    const outcome = await call({ url: `${stub.url}/echo`, headers: { 'X-A': 'v {a}' } }, { a: value });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/X-A/);
    expect(await stub.log()).toHaveLength(0);
  });

  it.each(['', '.', '..', '../ctl', 'a\nb', undefined])('is not sent with %j in the path', async (id) => {
    const { call } = httpKit(cleanups);
    const outcome = await call({ url: `${stub.url}/echo/things/{id}` }, { id });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/"id"/);
    expect(await stub.log()).toHaveLength(0);
  });

  it.each(['../../admin', 'a?x=1', 'a#b', 'a b', '%2e%2e', '@evil.test', '\\\\evil.test', '//evil.test'])(
    'stays below its path with %j',
    async (id) => {
      const { call } = httpKit(cleanups);
      await call({ url: `${stub.url}/echo/things/{id}` }, { id });
      for (const { target } of await stub.log()) {
        expect(target).toMatch(/^\/echo\/things\/[^/?#]+$/);
      }
    },
  );
});
