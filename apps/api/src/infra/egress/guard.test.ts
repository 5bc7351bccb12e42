import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { EgressFailure, EgressRefused } from './errors.js';
import { EgressGuard, type EgressGuardOptions, type EgressRequest } from './guard.js';
import type { ResolvedAddress } from './resolver.js';

function signalled() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const cleanups: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

async function listen(handler: Handler) {
  const seen: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    seen.push(req);
    handler(req, res);
  });
  const port = await bind(server);
  return { seen, port, url: `http://127.0.0.1:${port}`, server };
}

async function listenRaw(onSocket: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    cleanups.push(async () => socket.destroy());
    onSocket(socket);
  });
  return bind(server as Server);
}

async function bind(server: Pick<Server, 'listen' | 'address' | 'close'> & { closeAllConnections?: () => void }) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections?.();
        server.close(resolve);
      }),
  );
  return (server.address() as AddressInfo).port;
}

function guardWith(options: EgressGuardOptions = {}) {
  const guard = new EgressGuard(options);
  cleanups.push(() => guard.close());
  const send = (url: string, extra: Partial<EgressRequest> = {}) =>
    guard.request({
      tenantId: 't',
      url,
      method: 'GET',
      headers: [],
      body: undefined,
      signal: new AbortController().signal,
      timeoutMs: 5_000,
      ...extra,
    });
  const text = async (url: string, extra: Partial<EgressRequest> = {}) =>
    (await (await send(url, extra)).read(1_000_000)).bytes.toString();
  return { guard, send, text };
}

const answers =
  (...rounds: string[][]) =>
  async (): Promise<ResolvedAddress[]> =>
    (rounds.length > 1 ? rounds.shift()! : rounds[0]!).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));

describe('addresses', () => {
  it('never sends anything to a private one, in any spelling', async () => {
    const { seen, port } = await listen((_req, res) => res.end('inner'));
    const { send } = guardWith();
    const hosts = [
      '127.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '[::]',
      '[::1]',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      'localhost',
      'localhost.',
      '[64:ff9b::7f00:1]',
    ];
    for (const host of hosts) {
      await expect(send(`http://${host}:${port}/`), host).rejects.toBeInstanceOf(EgressRefused);
    }
    expect(seen).toHaveLength(0);
  });

  it('refuses a name that resolves to a private one, without telling which', async () => {
    const { seen, port } = await listen((_req, res) => res.end('inner'));
    const { send } = guardWith({ lookup: answers(['127.0.0.1']) });
    const error = await send(`http://inner.example.com:${port}/`).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(EgressRefused);
    expect(String(error)).not.toContain('127.0.0.1');
    expect(seen).toHaveLength(0);
  });

  it('refuses a name with one private address among public ones', async () => {
    const { send } = guardWith({ lookup: answers(['93.184.216.34', '10.0.0.1']) });
    await expect(send('http://mixed.example.com/')).rejects.toBeInstanceOf(EgressRefused);
  });

  it('connects to the judged address and to no later answer of DNS', async () => {
    const { seen, port } = await listen((_req, res) => res.end('stub'));
    let asked = 0;
    const lookup = async (): Promise<ResolvedAddress[]> => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '10.255.255.1', family: 4 }];
    };
    const { text } = guardWith({ lookup, allow: [`pinned.example.com:${port}`] });
    expect(await text(`http://pinned.example.com:${port}/`)).toBe('stub');
    expect(asked).toBe(1);
    expect(seen).toHaveLength(1);
  });

  it('judges the second answer of a rebinding name too', async () => {
    const { seen, port } = await listen((_req, res) => res.end('stub'));
    const { text, send } = guardWith({
      lookup: answers(['127.0.0.1'], ['127.0.0.2']),
      lookupTtlMs: 0,
      allow: [`127.0.0.1:${port}`],
    });
    expect(await text(`http://rebind.example.com:${port}/`)).toBe('stub');
    await expect(send(`http://rebind.example.com:${port}/`)).rejects.toBeInstanceOf(EgressRefused);
    expect(seen).toHaveLength(1);
  });

  it('judges each request again although a connection of another tenant is open', async () => {
    const { seen, port } = await listen((_req, res) => res.end('x'));
    const { text, send } = guardWith({ lookup: answers(['127.0.0.1']) });
    const url = `http://shared.example.com:${port}/`;
    expect(await text(url, { tenantId: 'a', allow: [`127.0.0.1:${port}`] })).toBe('x');
    await expect(send(url, { tenantId: 'b' })).rejects.toBeInstanceOf(EgressRefused);
    await expect(send(url, { tenantId: 'a' })).rejects.toBeInstanceOf(EgressRefused);
    expect(seen).toHaveLength(1);
  });

  it('of Gantry itself stay closed, by name and by address, as soon as they are known', async () => {
    const { seen, port } = await listen((_req, res) => res.end('x'));
    const own: { port: number; host?: string }[] = [];
    const { text, send } = guardWith({
      allow: [`127.0.0.1:${port}`, `alias.example.com:${port}`, '127.0.0.0/8'],
      ownEndpoints: () => own,
      lookup: answers(['127.0.0.1']),
    });
    expect(await text(`http://127.0.0.1:${port}/`)).toBe('x');
    own.push({ port });
    for (const host of ['127.0.0.1', '127.0.0.9', 'localhost', 'alias.example.com', '2130706433']) {
      await expect(send(`http://${host}:${port}/`), host).rejects.toThrow(/belongs to the platform/);
    }
    own.splice(0, 1, { port, host: 'node-7.example.com' });
    await expect(send(`http://alias.example.com:${port}/`)).rejects.toThrow(/belongs to the platform/);
    expect(seen).toHaveLength(1);
  });

  it('reach "localhost" through an exception for its IPv4 address', async () => {
    const { port } = await listen((_req, res) => res.end('x'));
    const { text } = guardWith({ allow: [`127.0.0.1:${port}`], lookup: answers(['::1', '127.0.0.1']) });
    expect(await text(`http://localhost:${port}/`)).toBe('x');
  });
});

describe('redirects', () => {
  const redirecting = (status: number, to: () => string) => (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/start') res.writeHead(status, { location: to() }).end();
    else res.end(JSON.stringify({ method: req.method, headers: req.headers }));
  };

  it.each([302, 307])('to an inner address are refused (%i)', async (status) => {
    const inner = await listen((_req, res) => res.end('inner'));
    const outer = await listen(redirecting(status, () => `${inner.url}/ctl`));
    const { send } = guardWith({ allow: [`127.0.0.1:${outer.port}`] });
    await expect(send(`${outer.url}/start`)).rejects.toBeInstanceOf(EgressRefused);
    await expect(send(`${outer.url}/start`, { method: 'POST', body: 'x' })).rejects.toBeInstanceOf(EgressRefused);
    expect(inner.seen).toHaveLength(0);
  });

  it('to another scheme or with user info are refused', async () => {
    for (const to of ['file:///etc/passwd', 'http://a:b@example.com/', 'gopher://x/']) {
      const outer = await listen(redirecting(302, () => to));
      const { send } = guardWith({ allow: ['127.0.0.0/8'] });
      await expect(send(`${outer.url}/start`)).rejects.toBeInstanceOf(EgressRefused);
    }
  });

  it('end after three hops (HTT-02)', async () => {
    const { url, seen } = await listen((req, res) => {
      const left = Number(req.url?.slice(1));
      if (left > 0) res.writeHead(302, { location: `/${left - 1}` }).end();
      else res.end('there');
    });
    const { text, send } = guardWith({ allow: ['127.0.0.0/8'] });
    expect(await text(`${url}/3`)).toBe('there');
    seen.length = 0;
    await expect(send(`${url}/5`)).rejects.toThrow(/more than 3 times/);
    expect(seen).toHaveLength(4);
  });

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
    [303, 'HEAD', 'HEAD'],
  ])('%i after %s go on as %s', async (status, method, expected) => {
    const { url, seen } = await listen(redirecting(status, () => '/next'));
    const { send } = guardWith({ allow: ['127.0.0.0/8'] });
    const body = method === 'HEAD' ? undefined : '{"a":1}';
    const headers = [['content-type', 'application/json']] as const;
    (await send(`${url}/start`, { method, body, headers: [...headers] })).discard();
    expect(seen[1]?.method).toBe(expected);
    const keepsBody = expected === method && body !== undefined;
    expect(seen[1]?.headers['content-length']).toBe(keepsBody ? '7' : undefined);
    if (!keepsBody && body) expect(seen[1]?.headers['content-type']).toBeUndefined();
  });

  it('keep credentials on the same origin and drop them on another (HTT-02)', async () => {
    const other = await listen((req, res) => res.end(JSON.stringify(req.headers)));
    const first = await listen((req, res) => {
      if (req.url === '/same') res.writeHead(307, { location: '/end' }).end();
      else if (req.url === '/cross') res.writeHead(307, { location: `${other.url}/end` }).end();
      else res.end(JSON.stringify(req.headers));
    });
    const { text } = guardWith({ allow: ['127.0.0.0/8'] });
    const extra = {
      headers: [
        ['Authorization', 'Bearer k'],
        ['Cookie', 'c=1'],
        ['X-Key', 's3cret'],
        ['X-Plain', 'p'],
      ] as const,
      secretHeaders: new Set(['x-key']),
    };
    expect(JSON.parse(await text(`${first.url}/same`, { ...extra, headers: [...extra.headers] }))).toMatchObject({
      authorization: 'Bearer k',
      cookie: 'c=1',
      'x-key': 's3cret',
      'x-plain': 'p',
    });
    const crossed = JSON.parse(await text(`${first.url}/cross`, { ...extra, headers: [...extra.headers] }));
    expect(crossed).toMatchObject({ 'x-plain': 'p' });
    expect(Object.keys(crossed)).not.toEqual(expect.arrayContaining(['authorization']));
    expect(crossed.cookie).toBeUndefined();
    expect(crossed['x-key']).toBeUndefined();
  });

  it('that carry a secret to another origin are refused', async () => {
    const other = await listen((_req, res) => res.end('x'));
    const first = await listen((_req, res) => res.writeHead(302, { location: `${other.url}/?k=s3%2Fcret` }).end());
    const { send } = guardWith({ allow: ['127.0.0.0/8'] });
    await expect(send(first.url, { secretValues: ['s3/cret'] })).rejects.toThrow(/secret in the URL/);
    expect(other.seen).toHaveLength(0);
  });
});

describe('failures', () => {
  const kindOf = async (promise: Promise<unknown>) => {
    const error = await promise.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(EgressFailure);
    expect(String(error)).not.toMatch(/127\.0\.0\.1|ECONN|UND_ERR/);
    return (error as EgressFailure).kind;
  };

  it('are told apart in plain words', async () => {
    const { send, guard } = guardWith({
      allow: ['127.0.0.0/8'],
      lookup: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    expect(guard).toBeDefined();
    expect(await kindOf(send('http://nowhere.example.com/'))).toBe('dns');
    const gone = createTcpServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    expect(await kindOf(send(`http://127.0.0.1:${port}/`))).toBe('connect');
    const reset = await listenRaw((socket) => socket.once('data', () => socket.destroy()));
    expect(await kindOf(send(`http://127.0.0.1:${reset}/`))).toBe('reset');
    const garbage = await listenRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n'));
    expect(await kindOf(send(`http://127.0.0.1:${garbage}/`))).toBe('malformed');
    expect(await kindOf(send(`https://127.0.0.1:${garbage}/`))).toBe('tls');
    const silent = await listenRaw(() => undefined);
    expect(await kindOf(send(`http://127.0.0.1:${silent}/`, { timeoutMs: 50 }))).toBe('timeout');
  });

  it('name a body that stops halfway, and the deadline of a body that drips', async () => {
    const half = await listenRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
    );
    const drip = await listenRaw((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx')),
    );
    const { send } = guardWith({ allow: ['127.0.0.0/8'] });
    expect(await kindOf((await send(`http://127.0.0.1:${half}/`)).read(100))).toBe('reset');
    expect(await kindOf((await send(`http://127.0.0.1:${drip}/`, { timeoutMs: 80 })).read(100))).toBe('timeout');
  });

  it('close the socket at once on cancel, before and during the answer', async () => {
    for (const path of ['/silent', '/drip']) {
      const closed = signalled();
      const arrived = signalled();
      const { url } = await listen((req, res) => {
        req.socket.once('close', () => closed.resolve());
        if (path === '/drip') res.write('x');
        arrived.resolve();
      });
      const { send } = guardWith({ allow: ['127.0.0.0/8'] });
      const abort = new AbortController();
      const pending = send(url + path, { signal: abort.signal }).then((answer) => {
        const reading = answer.read(100);
        abort.abort();
        return reading;
      });
      pending.catch(() => undefined);
      await arrived.promise;
      if (path === '/silent') abort.abort();
      expect(await kindOf(pending)).toBe('cancelled');
      await closed.promise;
    }
  });
});

describe('repeating', () => {
  /** Answers the first request of a socket and drops the socket at the second. */
  const flaky = async () => {
    const seen: string[] = [];
    const port = await listenRaw((socket) => {
      let first = true;
      socket.on('data', (data) => {
        seen.push(data.toString().split(' ')[0] ?? '');
        if (first) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx');
        else socket.destroy();
        first = false;
      });
    });
    return { seen, url: `http://127.0.0.1:${port}/` };
  };

  it('happens once for GET on a connection that died while idle', async () => {
    const { seen, url } = await flaky();
    const { text } = guardWith({ allow: ['127.0.0.0/8'], connectionsPerOrigin: 1 });
    expect(await text(url)).toBe('x');
    expect(await text(url)).toBe('x');
    expect(seen).toEqual(['GET', 'GET', 'GET']);
  });

  it('never happens for POST, nor for GET on a fresh connection', async () => {
    const { seen, url } = await flaky();
    const { text, send } = guardWith({ allow: ['127.0.0.0/8'], connectionsPerOrigin: 1 });
    expect(await text(url)).toBe('x');
    await expect(send(url, { method: 'POST', body: 'b' })).rejects.toBeInstanceOf(EgressFailure);
    expect(seen).toEqual(['GET', 'POST']);
    let tries = 0;
    const port = await listenRaw((socket) => {
      tries += 1;
      socket.once('data', () => socket.destroy());
    });
    await expect(send(`http://127.0.0.1:${port}/`)).rejects.toBeInstanceOf(EgressFailure);
    expect(tries).toBe(1);
  });
});

describe('bodies', () => {
  it('are cut at the limit and the connection with them', async () => {
    const closed = signalled();
    let written = 0;
    const { url } = await listen((req, res) => {
      req.socket.once('close', () => closed.resolve());
      const chunk = Buffer.alloc(64 * 1024);
      const pump = () => {
        while (!res.destroyed && res.write(chunk)) written += chunk.length;
        res.once('drain', pump);
      };
      pump();
    });
    const { send } = guardWith({ allow: ['127.0.0.0/8'] });
    const body = await (await send(url)).read(1_000_000);
    expect(body.truncated).toBe(true);
    expect(body.bytes).toHaveLength(1_000_000);
    await closed.promise;
    expect(written).toBeLessThan(64_000_000);
  });

  it('are decompressed within the limit', async () => {
    const plain = Buffer.alloc(20_000_000, 'a');
    const { url } = await listen((req, res) => {
      const [encoding, bytes] =
        req.url === '/br' ? ['br', brotliCompressSync(Buffer.from('hi'))] : ['gzip', gzipSync(plain)];
      res.writeHead(200, { 'content-encoding': req.url === '/odd' ? 'compress' : encoding }).end(bytes);
    });
    const { send } = guardWith({ allow: ['127.0.0.0/8'] });
    expect((await (await send(`${url}/br`)).read(100)).bytes.toString()).toBe('hi');
    const bomb = await (await send(`${url}/gzip`)).read(50_000);
    expect(bomb).toMatchObject({ truncated: true });
    expect(bomb.bytes).toHaveLength(50_000);
    expect(bomb.wireBytes).toBeLessThan(30_000);
    await expect((await send(`${url}/odd`)).read(100)).rejects.toMatchObject({ kind: 'encoding' });
  });

  it('that are compressed wrongly are failures', async () => {
    const { url } = await listen((_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'));
    const { send } = guardWith({ allow: ['127.0.0.0/8'] });
    await expect((await send(url)).read(100)).rejects.toMatchObject({ kind: 'encoding' });
  });
});
