import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { App } from './app.mjs';
import { serve } from './serve.mjs';
import { devTools } from './tools.mjs';

let served;
let app;
const clients = [];

beforeEach(async () => {
  app = new App();
  // Time goes on when it is asked for, which the engine does every so many steps: no load of the machine makes it pass.
  let asked = 0;
  const repl = { timeMs: 200, memoryBytes: 4 * 1024 * 1024, now: () => asked++ };
  served = await serve(devTools(app, { pageSize: 2, repl }));
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await served.close();
});

async function connect() {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(served.url));
  clients.push(client);
  const call = async (name, args) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    return isError ? { failed: content[0].text } : (structuredContent ?? content[0].text);
  };
  return { client, call };
}

describe('the dev server', () => {
  it('shows routes, components, their source, docs, the app and its reloader (seed R2, seed R4)', async () => {
    const { client, call } = await connect();
    const names = [];
    let cursor;
    do {
      const page = await client.listTools({ cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toHaveLength(9);
    expect((await call('list_routes')).routes).toContainEqual({ path: '/greet', component: 'Greeting' });
    expect(await call('describe_component', { name: 'Greeting' })).toMatchObject({
      props: { name: 'string' },
      shownAt: ['/greet'],
    });
    for (const name of ['Home', 'Greeting']) {
      const { file, line } = await call('source_location', { name });
      const lines = (await readFile(new URL(file, import.meta.url), 'utf8')).split('\n');
      expect(lines[line - 1].trim()).toMatch(new RegExp(`^${name}: \\{`));
    }
    expect(await call('docs', { topic: 'routing' })).toContain('one component');
    expect(await call('app_info')).toMatchObject({ name: 'demo', routes: 2 });
    expect(await call('describe_component', { name: 'Nope' })).toEqual({ failed: 'There is no component Nope' });
  });

  it('renders, and reloads unless what it reads is broken (seed R2)', async () => {
    const { call } = await connect();
    expect(await call('render', { path: '/greet', props: { name: 'Ada' } })).toBe('<p>Hello, Ada!</p>');
    expect(await call('render', { path: '/nope' })).toEqual({ failed: 'There is no route /nope' });
    expect(await call('reload')).toEqual({ state: 'idle', generation: 2 });
    expect(await call('render', { path: '/' })).toBe('<h1>Home, read 2 times</h1>');
    app.read = () => {
      throw new Error('unexpected end of file');
    };
    await call('reload');
    expect(await call('reloader_status')).toEqual({ state: 'broken', generation: 2, error: 'unexpected end of file' });
    expect(await call('render', { path: '/' })).toBe('<h1>Home, read 2 times</h1>');
  });

  it('remembers in a session what eval has declared, and shares it with no other (seed R2)', async () => {
    const [first, second] = [await connect(), await connect()];
    const run = ({ call }, code) => call('eval', { code });
    await run(first, 'let count = 1; function double() { count *= 2; return count; }');
    expect(await run(first, 'double()')).toBe('2');
    expect(await run(first, 'double()')).toBe('4');
    expect(await run(first, 'app.routes.map(({ path }) => path).join()')).toBe('/,/greet');
    expect((await run(second, 'count')).failed).toContain('ReferenceError');
  });

  it('lets eval reach nothing of the process, and stops it when it takes too long or too much (seed R2)', async () => {
    const { call } = await connect();
    const run = (code) => call('eval', { code });
    expect(await run('[typeof process, typeof require, typeof fetch].join()')).toBe('undefined,undefined,undefined');
    expect((await run('while (true) {}')).failed).toBe('Stopped: the time limit of 200 ms is over');
    expect((await run('Promise.resolve().then(() => { while (true) {} })')).failed).toContain('time limit');
    expect((await run('const all = []; while (true) all.push(new Array(10_000).fill(0))')).failed).toContain('memory');
    expect(await run('1 + 1')).toBe('2');
    expect((await run('throw new TypeError("bad")')).failed).toBe('TypeError: bad');
    expect((await run('"x".repeat(20_000)')).length).toBeLessThan(10_100);
  });

  it('has 32 sessions at most (seed R2)', async () => {
    for (let at = 0; at < 32; at++) await connect();
    await expect(connect()).rejects.toThrow(/as many sessions/);
  }, 60_000);

  it('listens on loopback, and to no page of a browser nor under another name (seed L1, seed L2)', async () => {
    expect(served.url.hostname).toBe('127.0.0.1');
    const statusWith = (headers) =>
      new Promise((resolve, reject) => {
        const sent = request(served.url, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject).end('{}');
      });
    const json = { 'content-type': 'application/json' };
    expect(await statusWith({ ...json, origin: 'http://localhost:3000' })).toBe(403);
    expect(await statusWith({ ...json, host: 'evil.example' })).toBe(403);
    expect(await statusWith(json)).toBe(400);
  });
});
