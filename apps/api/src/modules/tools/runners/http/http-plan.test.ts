import { afterEach, describe, expect, it } from 'vitest';
import { Cleanups, httpKit } from '../../../../../test/stubs/http-kit.js';

const cleanups = new Cleanups();
afterEach(() => cleanups.run());

describe('publishing', () => {
  const faultsOf = (spec: Record<string, unknown>) => {
    const compiled = httpKit(cleanups, { guard: { allow: [] } }).compile({ url: 'https://api.example.com/x', ...spec });
    return compiled.ok ? [] : compiled.faults.map((fault) => fault.path);
  };

  it.each([
    [{ url: 'http://127.0.0.1/x' }, '/url'],
    [{ url: 'http://[::ffff:a9fe:a9fe]/{x}' }, '/url'],
    [{ url: 'http://localhost.:81/{x}' }, '/url'],
    [{ url: 'http://user:pw@api.example.com/' }, '/url'],
    [{ url: 'https://{host}/' }, '/url'],
    [{ url: 'https://api.example.com/{{secret.KEY}}' }, '/url'],
    [{ headers: { Host: 'x' } }, '/headers/Host'],
    [{ headers: { 'Content-Length': '1' } }, '/headers/Content-Length'],
    [{ headers: { 'a b': 'x' } }, '/headers/a b'],
    [{ headers: { 'X-A': 'a\r\nb' } }, '/headers/X-A'],
    [{ headers: { 'X-A': '{{secret.lower}}' } }, '/headers/X-A'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, '/headers/x-a'],
    [{ query: { q: '{{secret.KEY}}' } }, '/query/q'],
    [{ method: 'POST', body: { a: ['{{secret.KEY}}'] } }, '/body/a/0'],
    [{ method: 'GET', body: { a: 1 } }, '/body'],
    [{ method: 'GET', bodyType: 'form' }, '/bodyType'],
    [{ method: 'POST', bodyType: 'multipart', headers: { 'content-type': 'multipart/form-data' } }, '/headers'],
    [{ method: 'POST', bodyType: 'binary' }, '/body'],
    [{ method: 'POST', bodyType: 'multipart', body: { a: { $file: { blob: 'x' } } } }, '/body/a'],
    [{ method: 'POST', bodyType: 'multipart', body: { a: { $file: { base64: 'x', text: 'y' } } } }, '/body/a'],
    [{ auth: { type: 'bearer', secret: 'K' }, headers: { authorization: 'x' } }, '/auth'],
    [{ auth: { type: 'header', name: 'Host', secret: 'K' } }, '/auth/name'],
    [{ auth: { type: 'query', name: 'k', secret: 'K' }, query: { k: 'x' } }, '/auth/name'],
    [{ auth: { type: 'basic', username: 'a:b', secret: 'K' } }, '/auth/username'],
  ])('refuses %j at %s', (spec, path) => {
    expect(faultsOf(spec)).toEqual([path]);
  });

  it('names every fault in one pass', () => {
    expect(faultsOf({ url: 'http://10.0.0.1/{+x}', headers: { Host: '1', TE: '2' } })).toEqual([
      '/url',
      '/headers/Host',
      '/headers/TE',
    ]);
  });

  it('warns of an argument that goes nowhere', () => {
    const schema = { properties: { id: {}, lost: {} } };
    const { compile } = httpKit(cleanups);
    const compiled = compile({ url: 'https://api.example.com/{id}', query: { a: '1' } }, schema);
    expect(compiled.ok && compiled.warnings.map((note) => note.message)).toEqual([expect.stringContaining('"lost"')]);
    const quiet = compile({ url: 'https://api.example.com/{id}' }, schema);
    expect(quiet.ok && quiet.warnings).toEqual([]);
  });
});
