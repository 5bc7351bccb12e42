import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type BodyFault, NodeResponder, readBody, toHttpRequest } from './node-exchange.js';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  server = undefined;
});

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  server = createServer(handler);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('readBody', () => {
  async function read(
    limit: number,
    send: (port: number) => void,
  ): Promise<{ fault: BodyFault | undefined; body?: string }> {
    return new Promise((resolve) => {
      void serve((req, res) => {
        readBody(req, limit, (fault, body) => {
          resolve({ fault, ...(body && { body: body.toString() }) });
          if (!res.destroyed) res.end();
        });
      }).then(send);
    });
  }
  const post = (port: number, chunks: string[], headers: Record<string, string> = {}) => {
    const req = request({ port, method: 'POST', headers });
    req.on('error', () => {});
    for (const chunk of chunks) req.write(chunk);
    return req;
  };

  it('joins the chunks of a body', async () => {
    expect(await read(10, (port) => post(port, ['ab', 'cd']).end('ef'))).toEqual({ fault: undefined, body: 'abcdef' });
  });

  it('takes a body of exactly the limit', async () => {
    expect(await read(3, (port) => post(port, []).end('abc'))).toEqual({ fault: undefined, body: 'abc' });
  });

  it('refuses a declared length over the limit before the body comes', async () => {
    expect(await read(3, (port) => void post(port, ['a'], { 'content-length': '4' }))).toEqual({ fault: 'too_large' });
  });

  it('refuses an undeclared length as soon as it is passed', async () => {
    expect(await read(3, (port) => void post(port, ['ab', 'cd']))).toEqual({ fault: 'too_large' });
  });

  it('tells that the client left half way', async () => {
    const outcome = read(10, (port) => {
      const req = post(port, ['ab'], { 'content-length': '5' });
      req.on('socket', (socket) => socket.on('connect', () => setImmediate(() => req.destroy())));
    });
    expect(await outcome).toEqual({ fault: 'aborted' });
  });

  it('gives nothing for a request without a body', async () => {
    expect(await read(3, (port) => post(port, []).end())).toEqual({ fault: undefined });
  });
});

describe('toHttpRequest', () => {
  it('keeps repeated protocol headers apart, and a comma in one value whole', async () => {
    const seen = new Promise<unknown>((resolve) => {
      void serve((req, res) => {
        const { headers } = toHttpRequest(req, undefined);
        resolve([headers['mcp-name'], headers['mcp-param-list']]);
        res.end();
      }).then((port) => request({ port, headers: { 'Mcp-Name': ['a', 'a'], 'Mcp-Param-List': 'x, y' } }).end());
    });
    expect(await seen).toEqual([['a', 'a'], 'x, y']);
  });
});

describe('NodeResponder', () => {
  it('tells once that the client went away before the answer was complete', async () => {
    let told = 0;
    const gone = new Promise<void>((resolve) => {
      void serve((_req, res) => {
        const responder = new NodeResponder(res, undefined);
        responder.stream().write('data: 1\n\n');
        responder.onDisconnect(() => {
          told += 1;
          resolve();
        });
      }).then((port) => {
        const req = request({ port }, (res) => res.once('data', () => req.destroy()));
        req.on('error', () => {});
        req.end();
      });
    });
    await gone;
    expect(told).toBe(1);
  });

  it('closes at once under a reader that takes nothing, whatever is queued', async () => {
    const closed = new Promise<number>((resolve) => {
      void serve((_req, res) => {
        const stream = new NodeResponder(res, undefined).stream();
        stream.write(`data: ${'x'.repeat(64 * 1024 * 1024)}\n\n`);
        stream.end();
        const queued = stream.queuedBytes;
        res.once('close', () => resolve(queued));
        stream.cut?.();
      }).then((port) => {
        const req = request({ port }, (res) => res.pause());
        req.on('error', () => {});
        req.end();
      });
    });
    expect(await closed).toBeGreaterThan(0);
  });

  it('takes no frame after the end of its stream', async () => {
    const written = new Promise<unknown[]>((resolve) => {
      void serve((_req, res) => {
        const faults: unknown[] = [];
        res.on('error', (error) => faults.push(error));
        const stream = new NodeResponder(res, undefined).stream();
        stream.end();
        const taken = stream.write('data: late\n\n');
        res.once('close', () => resolve([taken, faults]));
      }).then((port) => request({ port }, (res) => res.resume()).end());
    });
    expect(await written).toEqual([false, []]);
  });

  it('tells nothing when the answer was complete', async () => {
    let told = 0;
    const closed = new Promise<void>((resolve) => {
      void serve((_req, res) => {
        const responder = new NodeResponder(res, { 'x-extra': '1' });
        responder.onDisconnect(() => {
          told += 1;
        });
        res.once('close', () => resolve());
        responder.json(200, '{}');
      }).then(async (port) => {
        const answer = await fetch(`http://127.0.0.1:${port}`);
        expect(answer.headers.get('x-extra')).toBe('1');
        expect(await answer.text()).toBe('{}');
      });
    });
    await closed;
    expect(told).toBe(0);
  });
});
