import { describe, expect, it } from 'vitest';
import { ModernClient, SessionClient } from './clients.js';
import { type Answer, ask } from './exchange.js';
import { useWorld } from './world.js';

const world = useWorld();
const SQUEEZED = { 'accept-encoding': 'gzip, br, deflate' };

/** A streaming answer of each kind, asked for by a client that takes any encoding. */
async function streams(): Promise<[string, Answer][]> {
  const session = await new SessionClient(world.url, world.key).open();
  const modern = new ModernClient(world.url, world.key);
  const asked = (headers: object) => ({ ...headers, ...SQUEEZED });
  const call = session.request('tools/call', { name: 'steps', arguments: { n: 1 }, _meta: { progressToken: 1 } });
  const listen = modern.request('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const accept = 'text/event-stream';
  return [
    ['a call', await ask(world.url, { ...call, headers: asked(call.headers ?? {}) })],
    ['the standalone one', await ask(world.url, { method: 'GET', headers: asked({ ...session.headers, accept }) })],
    ['a listen', await ask(world.url, { ...listen, headers: asked(listen.headers ?? {}) })],
  ];
}

describe('streams', () => {
  it('are marked against buffering, and never compressed (SSE-02, seed K5)', async () => {
    for (const [kind, answer] of await streams()) {
      expect([kind, answer.streaming]).toEqual([kind, true]);
      expect(answer.headers['x-accel-buffering']).toBe('no');
      expect(answer.headers['cache-control']).toContain('no-cache');
      expect(answer.headers['content-encoding']).toBeUndefined();
      answer.destroy();
    }
  });

  it('bring each event when it is sent, not when there are more (SSE-02, seed K5)', async () => {
    const client = await new SessionClient(world.url, world.key).open();
    const params = { name: 'slow_charge', arguments: { at: 'flow' }, _meta: { progressToken: 'flow' } };
    const call = client.request('tools/call', params);
    const answer = await ask(world.url, { ...call, headers: { ...call.headers, ...SQUEEZED } });
    const held = await world.backend.arrived('/held/flow');
    // The tool waits for the backend, and nothing after this event has been sent.
    expect((await answer.notified('notifications/progress')).message.params.progress).toBe(1);
    expect(answer.messages).toHaveLength(1);
    held.answer({});
    expect((await answer.result()).result.content).toEqual([{ type: 'text', text: 'charged' }]);
  });
});

describe("a client's key", () => {
  it('is in no call to a backend, no log and no record of calls (wire S5, LOG-01)', async () => {
    const client = new ModernClient(world.url, world.key);
    for (const [name, args] of [
      ['effect', {}],
      ['order', { id: '7' }],
      ['who', {}],
      ['nobody', {}],
    ] as const) {
      const answer = await client.call(name, args, { headers: { cookie: `key=${world.key}` } });
      expect(await answer.body()).not.toContain(world.key);
    }
    const seen = world.backend.seen.all.map(({ target, headers, body }) => ({ target, headers, body }));
    expect(seen.map(({ target }) => target)).toEqual(expect.arrayContaining(['/effect', '/orders/7']));
    const calls = await world.gantry.admin('GET', '/tenants/acme/calls');
    expect(calls.status).toBe(200);
    for (const record of [seen, calls.body, world.gantry.output()]) {
      expect(JSON.stringify(record)).not.toContain(world.key);
    }
  });
});
