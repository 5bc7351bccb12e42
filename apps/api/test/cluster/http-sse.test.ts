import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { bearer, JSON_POST } from '../wire/clients.js';
import { Arrivals, within } from '../wire/deadline.js';
import { type Answer, ask } from '../wire/exchange.js';
import { useNodes } from './world.js';

const world = useNodes();
const [A, B] = [0, 1];

/** Opens the stream at one node and gives the address to post to at another, as the endpoint event names it. */
async function open(
  holder: number,
  other: number,
): Promise<{ stream: Answer; post: (message: object) => Promise<Answer> }> {
  const headers = { ...bearer(world.key), accept: 'text/event-stream' };
  const stream = await ask(`${world.at(holder)}/sse`, { method: 'GET', headers });
  const endpoint = await stream.frames.first('the endpoint event', ({ event }) => event === 'endpoint');
  const { pathname, search } = new URL(endpoint.data as string, world.at(holder));
  const url = `${world.cluster.node(other).url}${pathname}${search}`;
  const post = (message: object) =>
    ask(url, { headers: { ...JSON_POST, ...bearer(world.key) }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  return { stream, post };
}

const initialize = (id: number) => ({
  id,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
});

describe('HTTP+SSE of 2024-11-05', () => {
  it('answers on the stream of one node what was posted to another, each once (SES-06)', async () => {
    const { stream, post } = await open(A, B);
    expect((await post(initialize(0))).status).toBe(202);
    await stream.frames.first('the answer to initialize', ({ message }) => message?.id === 0);
    await post({ method: 'notifications/initialized' });
    const asked = new Map<number, number>();
    const took: number[] = [];
    stream.frames.each(({ message }) => {
      const at = asked.get(message?.id);
      if (at !== undefined) took.push(performance.now() - at);
    });
    const posted = Array.from({ length: 100 }, (_, i) => {
      asked.set(i + 1, performance.now());
      return post({ id: i + 1, method: 'tools/list' });
    });
    for (const { status } of await Promise.all(posted)) expect(status).toBe(202);
    const answered = () => stream.messages.filter(({ result }) => result !== undefined).map(({ id }) => id);
    await stream.frames.first('101 answers', () => answered().length >= 101);
    // Of a hundred at once on a busy machine some take longer.
    expect(took.sort((a, b) => a - b)[50]).toBeLessThan(1_000);
    expect(answered().sort((a, b) => a - b)).toEqual(Array.from({ length: 101 }, (_, i) => i));
    stream.destroy();
  });

  it('is told that the outcome is unknown of a call whose node died, and goes on', async () => {
    const C = 2;
    const { stream, post } = await open(C, B);
    await post(initialize(0));
    await stream.frames.first('the answer to initialize', ({ message }) => message?.id === 0);
    const ear = new Redis(world.cluster.redis.url);
    const words = new Arrivals<string>();
    ear.on('pmessage', (_pattern, _channel, word: string) => words.add(word));
    await ear.psubscribe('*');
    await post({ id: 1, method: 'tools/call', params: { name: 'held_http', arguments: { at: 'sse-dead' } } });
    await world.backend.arrived('/held/sse-dead');
    // The node that holds the stream must have heard of the call before the one that runs it dies.
    await words.first('a word about the call', (word) => word.includes('"kind":"runs"'));
    ear.disconnect();
    await world.cluster.node(B).kill();
    const { message } = await stream.frames.first('the outcome', (frame) => frame.message?.id === 1, { ms: 20_000 });
    expect(message.error.message).toBe('Outcome unknown: the node that ran this request has stopped');
    stream.destroy();
    await world.cluster.node(B).restart();
  });

  it('ends its session with its stream, wherever that was, a node that died included', async () => {
    const closed = await open(A, B);
    expect((await closed.post(initialize(0))).status).toBe(202);
    closed.stream.destroy();
    await expect.poll(async () => (await closed.post({ id: 1, method: 'ping' })).status, { timeout: 5_000 }).toBe(404);
    const cut = await open(A, B);
    expect((await cut.post(initialize(0))).status).toBe(202);
    await world.cluster.node(A).kill();
    await within('the stream to break', cut.stream.over);
    await expect
      .poll(async () => (await cut.post({ id: 1, method: 'ping' })).status, { timeout: 20_000, interval: 250 })
      .toBe(404);
  });
});
