import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Json } from './json.js';

const ENTRY = fileURLToPath(new URL('../index.ts', import.meta.url));
const README = new URL('../../README.md', import.meta.url);

/** The files that the examples are, in the order in which they stand there. */
const EXAMPLES = ['host.mjs', 'server.mjs', 'client.mjs'];

/** The examples load the whole library, which takes a busy machine its time. */
const LOADING_MS = 60_000;

let folder: string;
let server: Server;
let url: URL;

/** Runs the examples as they stand, but for the place of the package and the port. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'));
  const blocks = [...(await readFile(README, 'utf8')).matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code ?? '');
  for (const [at, name] of EXAMPLES.entries()) {
    const code = blocks[at]?.replace("'@gantry/mcp-core'", JSON.stringify(ENTRY)).replace('listen(3000,', 'listen(0,');
    await writeFile(join(folder, name), code ?? '');
  }
  expect(blocks).toHaveLength(EXAMPLES.length);
  expect(blocks[0]).toContain('.listen(3000,');
  ({ server } = (await import(join(folder, 'host.mjs'))) as { server: Server });
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}, LOADING_MS);

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

it('shows a host that serves official clients of both eras', async () => {
  const call = { name: 'greet', arguments: { who: 'Ada' } };
  const greeting = { content: [{ type: 'text', text: 'Hello, Ada!' }] };
  const client = new Client({ name: 'reader', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(url));
  expect(await client.callTool(call)).toMatchObject(greeting);
  await client.close();
  const modern = new ModernClient(
    { name: 'reader', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await modern.connect(new ModernTransport(url));
  expect(await modern.callTool(call)).toMatchObject(greeting);
  await modern.close();
});

it(
  'shows a server and a client that understand each other',
  async () => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => {});
    const shown = (await import(join(folder, 'client.mjs'))) as Json;
    expect(said.mock.calls).toEqual([['Connected in revision 2025-11-25']]);
    said.mockRestore();
    expect(shown.tools.map(({ name }: Json) => name)).toEqual(['add', 'clear']);
    expect(shown.added.content[0].text).toBe('Added note 2');
    expect(shown.before.contents[0].text).toBe('Buy milk\nWater the plants');
    expect(shown.prompt.messages[0].content.text).toBe('Sum up in a cheerful tone: Buy milk,Water the plants');
    expect(shown.cleared.content[0].text).toBe('All notes are gone');
    expect(shown.updated).toEqual(['note:/all', 'note:/all']);
  },
  LOADING_MS,
);
