import { describe, expect, it } from 'vitest';
import { ModernClient, SessionClient } from './clients.js';
import type { Answer } from './exchange.js';
import { useWorld } from './world.js';

const world = useWorld();
let servers = 0;

async function newServer(document: object = {}): Promise<{ path: string; url: string }> {
  const slug = `streams-${++servers}`;
  await world.gantry.server('acme', slug, { name: slug, ...document });
  return { path: `/tenants/acme/servers/${slug}`, url: world.gantry.mcpUrl('acme', slug) };
}

const tool = (name: string) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  template: { text: name },
});

describe('an event stream', () => {
  const unheld = ({ headers }: Answer) => {
    expect(headers['content-type']).toBe('text/event-stream');
    expect(headers['x-accel-buffering']).toBe('no');
    expect(headers['cache-control']).toMatch(/\bno-cache\b/);
    expect(headers['content-encoding']).toBeUndefined();
  };
  const encodings = { 'accept-encoding': 'gzip, br' };

  it('is marked against buffering and never compressed, and an event leaves before the next is made (SSE-02)', async () => {
    const client = new ModernClient(world.url, world.key);
    const more = { meta: { progressToken: 1 }, headers: encodings };
    const asked = client.start('slow_charge', { at: 'sse-02' }, more);
    const held = await world.backend.arrived('/held/sse-02');
    const answer = await asked.answer;
    unheld(answer);
    // The call still waits for its backend: what is here already was held back by nobody.
    await answer.notified('notifications/progress', ({ progress }) => progress === 1);
    expect(answer.messages).toHaveLength(1);
    held.answer('ok');
    await answer.notified('notifications/progress', ({ progress }) => progress === 2);
    expect((await answer.result()).result.content[0].text).toBe('charged');
  });

  it('is so for streams that only listen too (SSE-02)', async () => {
    const { url } = await newServer();
    const session = await new SessionClient(url, world.key).open();
    const streams = [
      await session.get(),
      await new ModernClient(url, world.key).listen({ toolsListChanged: true }, { headers: encodings }),
    ];
    for (const stream of streams) {
      unheld(stream);
      stream.destroy();
    }
  });
});

describe('the standalone stream of a session', () => {
  it('gives after a break exactly the edits that were missed, in order, then live ones (RES-01)', async () => {
    const { path, url } = await newServer({ prompts: [], resources: [] });
    const session = await new SessionClient(url, world.key).open();
    const first = await session.get();
    const edits = [
      ['tools', tool('one')],
      ['prompts', { name: 'two', description: 'two', messages: [] }],
      ['resources', { uri: 'docs://three', name: 'three', description: 'three', text: '' }],
      ['tools', tool('four')],
      ['prompts', { name: 'five', description: 'five', messages: [] }],
    ] as const;
    const edit = async ([list, item]: readonly [string, object]) =>
      expect((await world.gantry.admin('POST', `${path}/${list}`, item)).status).toBe(201);
    const [one, two, three, four, five] = edits;
    await edit(one);
    const { id } = await first.notified('notifications/tools/list_changed');
    first.destroy();
    for (const missed of [two, three, four, five]) await edit(missed);
    const again = await session.get(id);
    await again.notified('notifications/tools/list_changed');
    await edit(['resources', { uri: 'docs://six', name: 'six', description: 'six', text: '' }]);
    await again.frames.first('the sixth edit', () => again.messages.length >= 5);
    expect(again.messages.map(({ method }) => method.split('/')[1])).toEqual([
      'prompts',
      'resources',
      'tools',
      'prompts',
      'resources',
    ]);
    again.destroy();
  });
});
