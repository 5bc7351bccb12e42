import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../create-endpoint.js';
import type { CallRecord } from '../../dispatch/host.js';
import type { ServerSettings } from '../../ports/catalogue.js';
import { FakeClock } from '../../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTool, fixtureTools, Gate, text } from '../../testing/fixture-server.js';
import { sessionsOf } from '../../testing/list-sessions.js';
import type { RecordingResponder } from '../../testing/recording-responder.js';
import { ScriptedClient } from '../../testing/scripted-client.js';

async function setUp(revision = '2025-11-25', settings: Partial<ServerSettings> = {}) {
  const clock = new FakeClock();
  const gate = new Gate();
  const warnings: string[] = [];
  const records: CallRecord[] = [];
  const note = (_fields: object, message: string) => void warnings.push(message);
  const logger = { debug() {}, info: note, warn: note, error: note };
  let progressLater = () => {};
  const odd = fixtureTool('odd_progress', async (_args, context) => {
    for (const done of [1, 1, 0.5, 2, Number.NaN, 3]) context.progress(done);
    progressLater = () => context.progress(4);
    return text('done');
  });
  const steps = fixtureTool('steps', async (_args, context) => {
    for (let step = 1; step <= 3; step++) {
      context.progress(step);
      await gate.pass(context.signal);
    }
    return text('all steps');
  });
  const wait = fixtureTool('wait_long', async (_args, context) => {
    await gate.pass(context.signal);
    return text('let through');
  });
  const snapshot = fixtureSnapshot([...fixtureTools(gate), odd, steps, wait], settings);
  const endpoint = createMcpEndpoint({ clock, logger });
  const client = new ScriptedClient(endpoint, { snapshot, host: { hooks: { afterCall: (r) => records.push(r) } } });
  await client.open(revision);
  const changed = () => endpoint.changed('fixture', { kind: 'list', list: 'tools' }, snapshot.settings);
  return { client, clock, gate, endpoint, warnings, records, changed, progressLater: () => progressLater() };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

describe('the stream of a credential that expires', () => {
  it('is closed with a hint to come back, and the session lives on for a newer credential (wire S4)', async () => {
    const { client, clock } = await setUp();
    const opened = client.host;
    client.host = { ...opened, expiresAt: clock.now() + 900_000 };
    const stream = await client.get().until(() => true);
    await settle();
    expect(stream.streaming).toBe(true);
    clock.advance(899_999);
    expect(stream.done).toBe(false);
    clock.advance(1);
    expect([stream.done, stream.frames.at(-1)?.retry]).toEqual([true, 1_000]);
    client.host = opened;
    expect((await client.request('ping').finished()).message.result).toEqual({});
  });

  it('that is over as soon as it is taken up leaves no timer behind', async () => {
    const { client, clock } = await setUp();
    const call = await client.call('progress', {}, { progressToken: 1 }).finished();
    client.host = { ...client.host, expiresAt: clock.now() + 900_000 };
    const before = clock.pending;
    const resumed = await client.get({ 'last-event-id': call.frames[0]?.id as string }).finished();
    expect(resumed.messages.at(-1)?.id).toBe(call.messages.at(-1)?.id);
    expect(clock.pending).toBe(before);
  });
});

const ids = ({ frames }: RecordingResponder) => frames.flatMap(({ id }) => id ?? []);
const methods = ({ messages }: RecordingResponder) => messages.map(({ method }) => method ?? 'response');

describe('progress', () => {
  it('keeps the JSON type of the token, 0 included, and comes before the result (PRG-02, wire B25, seed J1)', async () => {
    const { client } = await setUp();
    for (const progressToken of [0, '0', '7', 7, '']) {
      const answer = await client.call('progress', {}, { progressToken }).finished();
      expect(methods(answer)).toEqual([...Array(3).fill('notifications/progress'), 'response']);
      expect(answer.messages.slice(0, 3).map(({ params }) => params.progressToken)).toEqual(
        Array(3).fill(progressToken),
      );
      expect(answer.messages.slice(0, 3).map(({ params }) => params.progress)).toEqual([1, 2, 3]);
    }
  });

  it('is not sent without a token (PRG-03)', async () => {
    const { client } = await setUp();
    const answer = await client.call('progress').finished();
    expect([answer.streaming, answer.message.result.content[0].text]).toEqual([false, 'done']);
  });

  it('that does not increase, or comes after the result, is dropped with a log line (wire B25)', async () => {
    const { client, warnings, progressLater } = await setUp();
    const answer = await client.call('odd_progress', {}, { progressToken: 1 }).finished();
    expect(answer.messages.flatMap(({ params }) => params?.progress ?? [])).toEqual([1, 2, 3]);
    progressLater();
    expect(warnings).toEqual([
      ...Array(3).fill('progress dropped: it must increase'),
      'progress dropped: the call has ended',
    ]);
    expect(answer.messages.at(-1).result.content[0].text).toBe('done');
  });

  it('goes to the stream of its own call and to no other (PRG-01, wire B7)', async () => {
    const { client } = await setUp();
    const standalone = client.get();
    await settle();
    const both = [
      client.call('progress', {}, { progressToken: 'x' }),
      client.call('progress', {}, { progressToken: 'y' }),
    ];
    for (const [at, answer] of both.entries()) {
      await answer.finished();
      const tokens = answer.messages.flatMap(({ params }) => params?.progressToken ?? []);
      expect(tokens).toEqual(Array(3).fill(at === 0 ? 'x' : 'y'));
    }
    expect(standalone.messages).toEqual([]);
  });
});

describe('streams of calls', () => {
  it('give every event an id, and begin with an empty one only in 2025-11-25 (wire B10, RES-06)', async () => {
    for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const { client } = await setUp(revision);
      const first = await client.call('progress', {}, { progressToken: 1 }).finished();
      const second = await client.call('progress', {}, { progressToken: 1 }).finished();
      const primed = revision === '2025-11-25' ? 1 : 0;
      expect(first.frames).toHaveLength(4 + primed);
      expect(first.frames.filter(({ data }) => data === '')).toHaveLength(primed);
      if (primed) expect(first.frames[0]).toEqual({ id: expect.stringMatching(/^\S+$/), data: '' });
      const all = [...ids(first), ...ids(second)];
      expect(all).toHaveLength(8 + 2 * primed);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it('open for a log message without any token', async () => {
    const { client } = await setUp();
    const answer = await client.call('log').finished();
    expect(methods(answer)).toEqual(['notifications/message', 'response']);
  });

  it('are not opened for clients that take JSON only; what precedes the answer is dropped (seed J2)', async () => {
    const { client } = await setUp();
    const answer = await client
      .call('progress', {}, { progressToken: 1 }, { headers: { accept: 'application/json' } })
      .finished();
    expect(answer.message.result.content[0].text).toBe('done');
  });

  it('carry every answer of a client that names them before JSON, by place or by weight, and only then (HTTP-02)', async () => {
    const { client } = await setUp();
    const forms = {
      'text/event-stream, application/json': true,
      'application/json;q=0.5, text/event-stream;q=0.9': true,
      'text/event-stream;q=0.5, application/json': false,
      'application/json, text/event-stream': false,
      'text/*, application/json': false,
      '*/*': false,
    };
    for (const [accept, streaming] of Object.entries(forms)) {
      const answer = await client.request('tools/list', {}, { headers: { accept } }).finished();
      expect([accept, answer.streaming]).toEqual([accept, streaming]);
      expect(answer.response.result.tools).not.toEqual([]);
    }
  });

  it('carry errors that come after their head as their last event (SSE-05, seed J4)', async () => {
    const { client, gate, clock } = await setUp();
    const answer = client.call('speak_and_block');
    await gate.entered();
    clock.advance(30_000);
    await answer.finished();
    expect(answer.messages.at(-1).result.isError).toBe(true);
    expect(answer.status).toBe(200);
  });

  it('survive the client: the call goes on and its rest is had by resuming (CAN-02, wire B14, RES-04, seed M2, O2)', async () => {
    const { client, gate, records, endpoint } = await setUp();
    const answer = client.call('steps', {}, { progressToken: 1 }, { id: 'r' });
    await gate.entered(1);
    expect(await sessionsOf(endpoint)).toMatchObject([{ inFlight: 1, streams: 1 }]);
    answer.disconnect();
    expect(await sessionsOf(endpoint)).toMatchObject([{ inFlight: 1, streams: 0 }]);
    expect(gate.signals[0]?.aborted).toBe(false);
    gate.open();
    await gate.entered(2);
    gate.open();
    await gate.entered(3);
    gate.open();
    await settle();
    expect(records.at(-1)?.status).toBe('ok');
    const resumed = await client.get({ 'last-event-id': ids(answer).at(-1) }).finished();
    expect(resumed.messages.map(({ params, result }) => params?.progress ?? result.content[0].text)).toEqual([
      2,
      3,
      'all steps',
    ]);
    expect(resumed.response.id).toBe('r');
  });

  it('go on live after a replay, without loss or repetition, and end after the response (wire B11)', async () => {
    const { client, gate } = await setUp('2025-06-18');
    const answer = client.call('steps', {}, { progressToken: 1 });
    await gate.entered(1);
    answer.disconnect();
    gate.open();
    await gate.entered(2);
    const resumed = client.get({ 'last-event-id': ids(answer)[0] });
    await resumed.until(() => resumed.messages.length === 1);
    gate.open();
    await gate.entered(3);
    gate.open();
    await resumed.finished();
    expect(resumed.messages.map(({ params }) => params?.progress)).toEqual([2, 3, undefined]);
    expect(new Set([...ids(answer), ...ids(resumed)]).size).toBe(4);
  });

  it('replay nothing of another stream (RES-02)', async () => {
    const { client } = await setUp();
    const x = await client.call('progress', {}, { progressToken: 'x' }).finished();
    await client.call('progress', {}, { progressToken: 'y' }).finished();
    const resumed = await client.get({ 'last-event-id': ids(x)[1] }).finished();
    expect(resumed.messages.flatMap(({ params }) => params?.progressToken ?? [])).toEqual(['x', 'x']);
    expect(ids(resumed).slice(1)).toEqual(ids(x).slice(2));
  });

  it('refuse event ids of another session, of nothing, and of the future (wire B12)', async () => {
    const { client } = await setUp();
    const answer = await client.call('progress', {}, { progressToken: 1 }).finished();
    const standalone = client.get();
    await settle();
    const future = `${ids(answer).at(-1)}9`;
    const known = [...ids(answer), ...ids(standalone)];
    await client.open();
    for (const id of [...known, future, 'zzz', '.1', '', 'a.b.1']) {
      const refused = await client.get({ 'last-event-id': id }).finished();
      expect([id, refused.status, refused.message.error.code]).toEqual([id, 400, -32600]);
    }
  });

  it('stay readable for five minutes after their end', async () => {
    const { client, clock } = await setUp();
    const answer = await client.call('progress', {}, { progressToken: 1 }).finished();
    clock.advance(300_000);
    expect((await client.get({ 'last-event-id': ids(answer)[3] }).finished()).response).toBeDefined();
    clock.advance(1);
    expect((await client.get({ 'last-event-id': ids(answer)[3] }).finished()).status).toBe(400);
  });

  it('announce a gap when events to replay are no longer kept', async () => {
    const { client, warnings } = await setUp('2025-11-25', { replayMax: 2 });
    const answer = await client.call('progress', { steps: 5 }, { progressToken: 1 }).finished();
    const resumed = await client.get({ 'last-event-id': ids(answer)[0] }).finished();
    expect(methods(resumed)).toEqual(['notifications/message', 'notifications/progress', 'response']);
    expect(resumed.messages[0].params.data).toContain('could not be replayed');
    expect(warnings).toContain('replay has a gap: older events are no longer kept');
  });

  it('let a reader that does not read resume where it stopped', async () => {
    const { client, gate } = await setUp('2025-06-18');
    const answer = client.call('steps', {}, { progressToken: 1 });
    await gate.entered(1);
    answer.queuedBytes = 2 * 1024 * 1024;
    gate.open();
    await gate.entered(2);
    expect(answer.done).toBe(true);
    const resumed = client.get({ 'last-event-id': ids(answer).at(-1) });
    gate.open();
    await gate.entered(3);
    gate.open();
    await resumed.finished();
    expect(resumed.messages.map(({ params }) => params?.progress)).toEqual([2, 3, undefined]);
  });

  it('open for a call that says nothing for long, so that its connection can be kept alive (SSE-01)', async () => {
    const { client, clock, gate } = await setUp();
    const session = client.call('block');
    const modern = client.modern('tools/call', { name: 'block' });
    const json = client.call('block', {}, undefined, { headers: { accept: 'application/json' } });
    await gate.entered(3);
    clock.advance(4_000);
    expect([session.streaming, modern.streaming]).toEqual([false, false]);
    gate.open();
    for (const answer of [session, modern, json]) expect((await answer.finished()).streaming).toBe(false);
    const slow = [client.call('wait_long'), client.modern('tools/call', { name: 'wait_long' })];
    await gate.entered(5);
    clock.advance(15_000);
    for (const answer of slow) expect([answer.streaming, answer.messages]).toEqual([true, []]);
    gate.open();
    for (const answer of slow)
      expect((await answer.finished()).messages.map(({ result }) => result.content[0].text)).toEqual(['let through']);
  });

  it('send comments while they are silent (SSE-01, seed P5)', async () => {
    const { client, clock, gate } = await setUp();
    const answer = client.call('speak_and_block');
    await gate.entered();
    clock.advance(15_000);
    expect(answer.frames.at(-1)).toEqual({ comment: 'keep-alive' });
    gate.open();
    await answer.finished();
  });
});

describe('notifications/cancelled', () => {
  it('ends a call without an answer, stream or not, and frees it (wire B24, seed N1, O1, CAN-01)', async () => {
    const { client, gate, records } = await setUp();
    const json = client.call('block', {}, undefined, { id: 'j' });
    const stream = client.call('speak_and_block', {}, undefined, { id: 's' });
    await gate.entered(2);
    for (const requestId of ['j', 's'])
      expect(client.notify('notifications/cancelled', { requestId }).status).toBe(202);
    expect([json.status, json.body, json.done]).toEqual([202, undefined, true]);
    expect([stream.response, stream.done]).toEqual([undefined, true]);
    expect(gate.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    gate.open();
    await settle();
    expect(methods(stream)).toEqual(['notifications/message']);
    expect(records.filter(({ method }) => method === 'tools/call').map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
  });

  it('leaves a stream that nobody comes back to again and again: known to its end, it is 204 (wire B24)', async () => {
    const { client, gate } = await setUp();
    const call = client.call('speak_and_block', {}, undefined, { id: 's' });
    await gate.entered();
    client.notify('notifications/cancelled', { requestId: 's' });
    await call.finished();
    const seen = ids(call);
    const resumed = await client.get({ 'last-event-id': seen[0] as string }).finished();
    expect([resumed.status, methods(resumed)]).toEqual([200, ['notifications/message']]);
    const again = await client.get({ 'last-event-id': seen.at(-1) as string }).finished();
    expect([again.status, again.body]).toEqual([204, undefined]);
  });

  it('tells ids of different JSON types apart and ignores unknown ones (wire B24)', async () => {
    const { client, gate } = await setUp();
    const answer = client.call('block', {}, undefined, { id: 1 });
    await gate.entered();
    for (const requestId of ['1', 2, null, {}, undefined]) {
      expect(client.notify('notifications/cancelled', { requestId }).status).toBe(202);
    }
    gate.open();
    expect((await answer.finished()).message.result.content[0].text).toBe('let through');
  });

  it('counts when it overtakes its request (wire B24)', async () => {
    const { client, gate, records } = await setUp();
    client.notify('notifications/cancelled', { requestId: 'early' });
    const answer = client.call('block', {}, undefined, { id: 'early' });
    expect([answer.status, answer.done, gate.entries]).toEqual([202, true, 0]);
    expect(records.at(-1)?.status).toBe('cancelled');
  });

  it('does not reach another session', async () => {
    const { client, endpoint, gate } = await setUp();
    const answer = client.call('block', {}, undefined, { id: 1 });
    await gate.entered();
    const other = new ScriptedClient(endpoint, { snapshot: client.snapshot });
    await other.open();
    other.notify('notifications/cancelled', { requestId: 1 });
    gate.open();
    expect((await answer.finished()).message.result.content[0].text).toBe('let through');
  });

  it('lets a queued stateful call leave the queue (seed O1)', async () => {
    const { client, gate } = await setUp();
    const first = client.call('count_and_block');
    await gate.entered();
    const queued = client.call('count', {}, undefined, { id: 'q' });
    await settle();
    client.notify('notifications/cancelled', { requestId: 'q' });
    expect(queued.status).toBe(202);
    gate.open();
    await first.finished();
    expect((await client.call('count').finished()).message.result.content[0].text).toBe('2');
  });
});

describe('the standalone stream', () => {
  it('sends its head at once and says nothing without need (SSE-03, wire B6)', async () => {
    const { client } = await setUp('2025-06-18');
    const stream = client.get();
    await settle();
    expect([stream.status, stream.streaming, stream.frames]).toEqual([200, true, []]);
    expect(stream.headers['content-type']).toBe('text/event-stream');
  });

  it('carries list changes with ids, and replays the missed ones in order, then goes on live (RES-01, seed P3)', async () => {
    const { client, changed } = await setUp();
    const first = client.get();
    await settle();
    for (let change = 0; change < 3; change++) await changed();
    first.disconnect();
    await changed();
    await changed();
    const seen = ids(first)[1];
    const second = client.get({ 'last-event-id': seen });
    await settle();
    await changed();
    expect(methods(second)).toEqual(Array(5).fill('notifications/tools/list_changed'));
    expect(ids(second).slice(1, 3)).toEqual(ids(first).slice(2, 4));
    expect(new Set(ids(second)).size).toBe(6);
  });

  it('is logged even before any connection showed it', async () => {
    const { client, changed } = await setUp();
    const primed = client.get();
    await settle();
    primed.disconnect();
    await changed();
    const resumed = client.get({ 'last-event-id': ids(primed)[0] });
    await settle();
    expect(methods(resumed)).toEqual(['notifications/tools/list_changed']);
    const fresh = client.get();
    await settle();
    expect(fresh.messages).toEqual([]);
  });

  it('is taken over by a second GET; the first ends and later messages go to the second alone (seed P2, wire B7)', async () => {
    const { client, changed } = await setUp();
    const first = client.get();
    await settle();
    const second = client.get();
    await settle();
    expect([first.done, second.done]).toEqual([true, false]);
    await changed();
    expect([first.messages.length, second.messages.length]).toEqual([0, 1]);
  });

  it('ends with its session (wire B3)', async () => {
    const { client } = await setUp();
    const stream = client.get();
    await settle();
    await client.delete().finished();
    expect(stream.done).toBe(true);
  });

  it('goes to every session of the server and to no other server', async () => {
    const { client, endpoint, changed } = await setUp();
    const other = new ScriptedClient(endpoint, { snapshot: client.snapshot, host: { server: 'other', owner: 'x' } });
    const sibling = new ScriptedClient(endpoint, { snapshot: client.snapshot, host: { owner: 'x' } });
    await other.open();
    await sibling.open();
    const streams = [client.get(), sibling.get(), other.get()];
    await settle();
    await changed();
    expect(streams.map(({ messages }) => messages.length)).toEqual([1, 1, 0]);
  });

  it('is 406 for clients that do not take event streams, once the session is known', async () => {
    const { client } = await setUp();
    for (const accept of ['application/json', 'text/html']) {
      const answer = await client.get({ accept }).finished();
      expect([answer.status, answer.message.error.code]).toEqual([406, -32600]);
    }
    const any = client.get({ accept: undefined });
    await settle();
    expect([any.status, any.streaming]).toEqual([200, true]);
  });
});
