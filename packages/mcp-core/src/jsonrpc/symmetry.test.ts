import { describe, expect, it } from 'vitest';
import { dispatcherPair, settled } from '../testing/dispatcher-pair.js';

describe('both ends at once', () => {
  it('D20 answers and asks on either side, with equal ids crossing', async () => {
    const { server, client } = dispatcherPair();
    for (const [name, dispatcher] of Object.entries({ server, client })) {
      dispatcher.registerHandler('who', () => name);
    }
    expect(await Promise.all([server.request('who'), client.request('who')])).toEqual(['client', 'server']);
  });

  it('D20 nests requests made from inside handlers without deadlock', async () => {
    const { server, client } = dispatcherPair();
    for (const dispatcher of [server, client]) {
      dispatcher.registerHandler('down', async ({ n }, ctx) =>
        n === 0 ? ['bottom'] : [n, ...((await ctx.request('down', { n: (n as number) - 1 })) as unknown[])],
      );
    }
    expect(await client.request('down', { n: 5 })).toEqual([5, 4, 3, 2, 1, 'bottom']);
  });

  it('D20 carries a cancel through to the handler of the other side', async () => {
    const { server, client } = dispatcherPair();
    const aborted = new Promise<string>((resolve) => {
      server.registerHandler('block', (_, { signal }) => {
        signal.addEventListener('abort', () => resolve(signal.reason.message));
        return new Promise(() => {});
      });
    });
    const controller = new AbortController();
    const asked = client.request('block', {}, { signal: controller.signal }).catch((error) => error.name);
    await settled();
    controller.abort('no longer wanted');
    expect([await aborted, await asked]).toEqual(['no longer wanted', 'RequestCancelledError']);
  });

  it('D20 delivers progress in order and before the result', async () => {
    const { server, client } = dispatcherPair();
    server.registerHandler('count', ({ _meta }, ctx) => {
      for (let at = 1; at <= 5; at++) ctx.sendProgress((_meta as { progressToken: number }).progressToken, at);
      return 'done';
    });
    const seen: unknown[] = [];
    const done = client.request('count', {}, { onProgress: ({ progress }) => seen.push(progress) });
    expect(await done.then((result) => [...seen, result])).toEqual([1, 2, 3, 4, 5, 'done']);
  });

  it('D21 takes ids and time from outside', async () => {
    const ids = ['x', 'y'];
    const { server, client, clock } = dispatcherPair({}, { idGenerator: { next: () => ids.shift() as string } });
    server.registerHandler('id', (_, { id }) => id);
    server.registerHandler('block', () => new Promise(() => {}));
    expect(await client.request('id')).toBe('x');
    const late = client.request('block', {}, { timeoutMs: 3_600_000 }).catch(({ code }) => code);
    clock.advance(3_600_000);
    expect(await late).toBe(1002);
  });
});
