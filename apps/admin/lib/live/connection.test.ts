// @vitest-environment node
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SseEvent } from '@/lib/sse/parse';
import { LiveConnection, type LiveState, type LiveTimes } from './connection';

const times: LiveTimes = { settleMs: 5, retryMs: [10], silentMs: 5_000, delayedMs: 5_000, hiddenMs: 20 };

/** One stream that the server was asked for. */
interface Opened {
  topics: string;
  lastEventId: string | undefined;
  response: ServerResponse;
  closed: Promise<void>;
}

let server: Server;
let url: string;
let opened: Opened[];
/** Answers the next requests in this way; streams when there is none. */
let refusals: ((response: ServerResponse) => void)[];
let connection: LiveConnection | undefined;
let events: SseEvent[];
let states: LiveState[];
let signedOut: number;

function take(request: IncomingMessage, response: ServerResponse) {
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const topics = new URL(request.url!, url).searchParams.get('topics') ?? '';
  opened.push({ topics, lastEventId: request.headers['last-event-id'] as string | undefined, response, closed });
  const refuse = refusals.shift();
  if (refuse) return refuse(response);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': open\n\n');
}

beforeEach(async () => {
  [opened, refusals, events, states, signedOut] = [[], [], [], [], 0];
  server = createServer(take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  connection?.close();
  server.closeAllConnections();
  server.close();
});

function connect(more: Partial<LiveTimes> = {}): LiveConnection {
  connection = new LiveConnection({
    open: (topics, lastEventId, signal) =>
      fetch(`${url}/?topics=${topics.join(',')}`, {
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
        signal,
      }),
    onEvent: (event) => events.push(event),
    onStatus: ({ state }) => states.at(-1) !== state && states.push(state),
    onSignedOut: () => {
      signedOut += 1;
    },
    times: { ...times, ...more },
  });
  return connection;
}

const until = (hold: () => void) => vi.waitFor(hold, { timeout: 5_000, interval: 5 });
const opens = (count: number) => until(() => expect(opened).toHaveLength(count));
const becomes = (state: LiveState) => until(() => expect(connection!.status.state).toBe(state));
const say = (stream: Opened, id: string, data = '{}') => stream.response.write(`id: ${id}\ndata: ${data}\n\n`);

describe('the one stream of a tab', () => {
  it('carries the union of what its screens watch, and opens once for topics that come together', async () => {
    const live = connect();
    live.watch('b');
    live.watch('a');
    live.watch('a');
    await becomes('live');
    expect(opened.map(({ topics }) => topics)).toEqual(['a,b']);
  });

  it('opens anew with what is watched now, and closes with the last topic', async () => {
    const live = connect();
    const releaseA = live.watch('a');
    await opens(1);
    const releaseB = live.watch('b');
    await opens(2);
    await opened[0]!.closed;
    releaseA();
    await opens(3);
    releaseB();
    await opened[2]!.closed;
    await becomes('idle');
    expect(opened.map(({ topics }) => topics)).toEqual(['a', 'a,b', 'b']);
  });

  it('stays open when a screen hands its topic to the next one', async () => {
    const live = connect();
    const release = live.watch('a');
    await becomes('live');
    release();
    live.watch('a');
    live.watch('b');
    await opens(2);
    expect(opened[1]!.topics).toBe('a,b');
    expect(states).not.toContain('idle');
  });

  it('goes on behind the last event when the stream breaks', async () => {
    connect().watch('a');
    await becomes('live');
    say(opened[0]!, '1');
    say(opened[0]!, '2');
    await until(() => expect(events).toHaveLength(2));
    opened[0]!.response.destroy();
    await opens(2);
    await becomes('live');
    expect(opened[1]!.lastEventId).toBe('2');
    say(opened[1]!, '3');
    await until(() => expect(events.map(({ id }) => id)).toEqual(['1', '2', '3']));
    expect(states).toEqual(['connecting', 'live', 'reconnecting', 'live']);
  });

  it('keeps the age of the last event; heartbeats do not make it younger', async () => {
    connect().watch('a');
    await becomes('live');
    expect(connection!.status.lastEventAt).toBeUndefined();
    say(opened[0]!, '1');
    await until(() => expect(connection!.status.lastEventAt).toBeGreaterThan(0));
    const { lastEventAt } = connection!.status;
    opened[0]!.response.write(': beat\n\n');
    say(opened[0]!, '2');
    await until(() => expect(events).toHaveLength(2));
    expect(connection!.status.lastEventAt).toBeGreaterThanOrEqual(lastEventAt!);
  });

  it('is dead when not even a heartbeat comes', async () => {
    connect({ silentMs: 40 }).watch('a');
    await opens(1);
    await opened[0]!.closed;
    await opens(2);
    expect(states).toContain('reconnecting');
  });

  it('calls a break that lasts a delay, and is live again when the API is back', async () => {
    const away = (response: ServerResponse) => response.writeHead(503).end();
    refusals = Array.from({ length: 12 }, () => away);
    connect({ delayedMs: 30 }).watch('a');
    await becomes('delayed');
    await becomes('live');
    expect(states).toEqual(['connecting', 'reconnecting', 'delayed', 'live']);
  });

  it('waits as long as the API asks for', async () => {
    refusals = [(response) => response.writeHead(503, { 'retry-after': '60' }).end()];
    const waits = vi.spyOn(globalThis, 'setTimeout');
    connect().watch('a');
    await becomes('reconnecting');
    expect(waits.mock.calls.map(([, ms]) => ms)).toContain(60_000);
    expect(opened).toHaveLength(1);
    waits.mockRestore();
  });

  it('lets screens poll when a topic is refused', async () => {
    refusals = [(response) => response.writeHead(403).end()];
    connect({ retryMs: [60_000] }).watch('a');
    await becomes('delayed');
    expect(states).toEqual(['connecting', 'delayed']);
  });

  it('is over when the session of the reader is', async () => {
    refusals = [(response) => response.writeHead(401).end()];
    connect().watch('a');
    await becomes('closed');
    expect(signedOut).toBe(1);
    const over = connection!;
    over.watch('b');
    over.resume();
    over.setHidden(false);
    // One that begins later is heard: what the first would have sent by now has been sent.
    connect().watch('later');
    await opens(2);
    expect(opened.map(({ topics }) => topics)).toEqual(['a', 'later']);
  });

  it('pauses for the reader and goes on where it was', async () => {
    const live = connect();
    live.watch('a');
    await becomes('live');
    say(opened[0]!, '7');
    await until(() => expect(events).toHaveLength(1));
    live.pause();
    await opened[0]!.closed;
    expect(live.status.state).toBe('paused');
    live.setHidden(true);
    live.setHidden(false);
    expect(live.status.state).toBe('paused');
    live.resume();
    await opens(2);
    expect(opened[1]!.lastEventId).toBe('7');
    await becomes('live');
  });

  it('closes in a tab that stays hidden, and goes on when it is seen again', async () => {
    const live = connect();
    live.watch('a');
    await becomes('live');
    say(opened[0]!, '7');
    await until(() => expect(events).toHaveLength(1));
    live.setHidden(true);
    await opened[0]!.closed;
    expect(live.status.state).toBe('paused');
    live.setHidden(false);
    await becomes('live');
    expect(opened[1]!.lastEventId).toBe('7');
  });

  it('stays open in a tab that is hidden for a moment', async () => {
    const live = connect({ hiddenMs: 60_000 });
    live.watch('a');
    await becomes('live');
    live.setHidden(true);
    live.setHidden(false);
    say(opened[0]!, '1');
    await until(() => expect(events).toHaveLength(1));
    expect(opened).toHaveLength(1);
  });

  it('says nothing of a stream that it left', async () => {
    const live = connect();
    live.watch('a');
    await becomes('live');
    say(opened[0]!, '1');
    await until(() => expect(events).toHaveLength(1));
    live.close();
    await opened[0]!.closed;
    expect(events).toHaveLength(1);
    expect(live.status.state).toBe('closed');
  });

  it('begins every topic anew when it is told to forget its place', async () => {
    const live = connect();
    live.watch('a');
    await becomes('live');
    say(opened[0]!, '1');
    await until(() => expect(events).toHaveLength(1));
    live.restart();
    await opens(2);
    expect(opened[1]!.lastEventId).toBeUndefined();
  });
});
