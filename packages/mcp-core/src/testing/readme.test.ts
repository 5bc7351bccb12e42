import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('../index.ts', import.meta.url));
const README = new URL('../../README.md', import.meta.url);

let folder: string;
let server: Server;
let url: URL;

/** Runs the example as it stands, but for the place of the package and the port. */
beforeAll(async () => {
  const example = /```js\n(.*?)```/s.exec(await readFile(README, 'utf8'))?.[1] ?? '';
  expect(example).toContain('.listen(3000,');
  folder = await mkdtemp(join(tmpdir(), 'readme-'));
  const file = join(folder, 'host.mjs');
  await writeFile(file, example.replace("'@gantry/mcp-core'", JSON.stringify(ENTRY)).replace('3000', '0'));
  ({ server } = (await import(file)) as { server: Server });
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

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
