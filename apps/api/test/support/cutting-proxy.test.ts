import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CuttingProxy } from './cutting-proxy.js';

let echo: Server;
let proxy: CuttingProxy;

beforeAll(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await CuttingProxy.start(`redis://127.0.0.1:${(echo.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await proxy.stop();
  echo.close();
});

async function open(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** However it came. */
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

async function said(socket: Socket, word: string): Promise<string> {
  socket.write(word);
  return String((await once(socket, 'data'))[0]);
}

it('names itself in a URL and keeps the rest of it', () => {
  const url = proxy.through('postgresql://u:p@127.0.0.1:5432/db?x=1');
  expect(url).toBe(`postgresql://u:p@127.0.0.1:${proxy.port}/db?x=1`);
});

it('lets through, breaks what is open and refuses what comes, and lets through again', async () => {
  const socket = await open();
  expect(await said(socket, 'a')).toBe('a');
  const broken = closed(socket);
  proxy.cut();
  await broken;
  const refused = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
  await closed(refused);
  proxy.reopen();
  const again = await open();
  proxy.reopen();
  expect(await said(again, 'b')).toBe('b');
  expect(await said(again, 'c')).toBe('c');
  again.destroy();
});

it('holds back what is said while it is stalled, on connections new and old', async () => {
  const old = await open();
  expect(await said(old, 'a')).toBe('a');
  proxy.stall();
  const fresh = await open();
  let heard = '';
  for (const socket of [old, fresh]) socket.on('data', (data) => (heard += data));
  old.write('b');
  fresh.write('b');
  const other = createServer((socket) => socket.end());
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  // As long as a whole connection to somebody else takes, twice.
  for (let round = 0; round < 2; round += 1) {
    await closed(connect((other.address() as AddressInfo).port, '127.0.0.1').resume());
  }
  other.close();
  expect(heard).toBe('');
  proxy.reopen();
  await expect.poll(() => heard).toBe('bb');
  old.destroy();
  fresh.destroy();
});

it('leaves those that are connected without an answer, and serves who comes anew', async () => {
  const old = await open();
  expect(await said(old, 'a')).toBe('a');
  proxy.strand();
  let heard = '';
  old.on('data', (data) => (heard += data));
  old.write('b');
  const fresh = await open();
  for (const word of ['c', 'd']) expect(await said(fresh, word)).toBe(word);
  expect(heard).toBe('');
  old.destroy();
  fresh.destroy();
});

it('loses one answer to what was said to the service, and the connection with it', async () => {
  const [marked, other] = [await open(), await open()];
  proxy.loseAnswerTo('secret');
  expect(await said(other, 'a')).toBe('a');
  let heard = '';
  marked.on('data', (data) => (heard += data));
  const broken = closed(marked);
  marked.write('my secret');
  await broken;
  expect([heard, proxy.cuts]).toEqual(['', 1]);
  expect(await said(other, 'secret')).toBe('secret');
  other.destroy();
});
