import { describe, expect, it } from 'vitest';
import { gate, textOf, useCodeRunner } from '../../../../../test/support/code-runner.js';
import type { CodeFetchRequest } from './index.js';

const code = useCodeRunner();

describe('ctx.fetch', () => {
  it('hands the request to the host and reads the response', async () => {
    const requests: CodeFetchRequest[] = [];
    const outcome = await code.run(
      `const response = await ctx.fetch('https://api.example.com/a', { method: 'POST', headers: { 'X-Key': '{{secret.KEY}}' }, body: 'é' });
       const again = await ctx.fetch('https://api.example.com/b', { body: new Uint8Array([0, 255]), headers: [['a', 'b']] });
       return { ok: response.ok, status: response.status, statusText: response.statusText, url: response.url, json: await response.json(),
         type: response.headers.get('Content-Type'), entries: [...response.headers.entries()],
         size: (await response.arrayBuffer()).byteLength, binary: [...await again.bytes()], missing: again.headers.get('x') }`,
      {
        fetch: async (request) => {
          requests.push(request);
          const body = request.url.endsWith('a') ? Buffer.from('{"é":1}') : new Uint8Array([0, 200, 255]);
          return {
            status: request.url.endsWith('a') ? 201 : 500,
            statusText: 'Made',
            headers: [['Content-Type', 'application/json']],
            body,
          };
        },
      },
    );
    expect(outcome.structuredContent).toEqual({
      ok: true,
      status: 201,
      statusText: 'Made',
      url: 'https://api.example.com/a',
      json: { é: 1 },
      type: 'application/json',
      entries: [['content-type', 'application/json']],
      size: 8,
      binary: [0, 200, 255],
      missing: null,
    });
    expect(requests.map(({ method, headers, body }) => ({ method, headers, body }))).toEqual([
      { method: 'POST', headers: [['X-Key', '{{secret.KEY}}']], body: 'é' },
      { method: 'GET', headers: [['a', 'b']], body: Buffer.from([0, 255]) },
    ]);
  });

  it('rejects with the words of the host, and without a host', async () => {
    const fetch = async () => {
      throw new Error('host 10.0.0.1 is not allowed');
    };
    expect(textOf(await code.run('await ctx.fetch("http://10.0.0.1")', { fetch }))).toContain(
      '10.0.0.1 is not allowed',
    );
    expect(textOf(await code.run('await ctx.fetch("http://a.test")'))).toContain('ctx.fetch is not available here');
    expect(textOf(await code.run('await ctx.fetch("http://a.test", { body: {} })', { fetch }))).toContain(
      'init.body must be',
    );
  });

  it('aborts what is under way when the call ends', async () => {
    const aborted = gate();
    const fetch = ({ signal }: CodeFetchRequest) => {
      signal.addEventListener('abort', aborted.open);
      return new Promise<never>(() => {});
    };
    expect(textOf(await code.run('ctx.fetch("http://a.test").catch(() => {}); return "early"', { fetch }))).toBe(
      'early',
    );
    await aborted.opened;
  });
});
