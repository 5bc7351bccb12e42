import type { Session, SessionFrame, SessionsFrame } from '@gantry/contracts';
import {
  callsFrameSchema,
  closeFrameSchema,
  nodesFrameSchema,
  sessionFrameSchema,
  sessionsFrameSchema,
} from '@gantry/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type Api } from '../../../test/harness/api.js';
import { useNodePair } from '../../../test/support/node-pair.js';
import { addMember, addPerson, openSession } from '../../../test/support/world.js';
import { bearer, ModernClient, SessionClient } from '../../../test/wire/clients.js';
import { type Answer, type Frame, send } from '../../../test/wire/exchange.js';
import { NODE_ID } from '../../infra/tokens.js';
import { Streams } from './streams.service.js';

const nodes = useNodePair();
const streams: Answer[] = [];
let tenants = 0;
afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy();
});

const id = (node: 0 | 1) => nodes.apps[node].nest.get<string>(NODE_ID);

async function newTenant() {
  const tenant = `t${++tenants}`;
  await nodes.admin('POST', '/tenants', { slug: tenant, name: tenant });
  await nodes.admin('PUT', `/tenants/${tenant}/servers/main`, {
    name: 'Main',
    tools: [{ name: 'greet', description: 'Greets.', inputSchema: { type: 'object' }, template: { text: 'Hi' } }],
  });
  const [first, second] = nodes.urls.map((url) => `${url}/mcp/${tenant}/main`) as [string, string];
  return { tenant, key: (await newKey(tenant, ['mcp:call'])).key, first, second };
}

async function newKey(tenant: string, scopes: string[]) {
  return (await nodes.admin('POST', `/tenants/${tenant}/keys`, { name: 'k', scopes })) as { id: string; key: string };
}

interface Watch {
  readonly as?: string;
  readonly node?: 0 | 1;
  readonly lastEventId?: string;
}

async function watch(topics: string, { as = ADMIN_TOKEN, node = 0, lastEventId }: Watch = {}): Promise<Answer> {
  const url = `${nodes.urls[node]}/api/v1/stream?topics=${topics}`;
  const answer = await send(url, { method: 'GET', headers: { ...bearer(as), 'last-event-id': lastEventId } }).answer;
  streams.push(answer);
  return answer;
}

const next = (stream: Answer, what: string, fits: (frame: Frame) => boolean, from = 0) =>
  stream.frames.first(what, fits, { from, ms: 20_000 });
const snapshot = (stream: Answer, topic: string) =>
  next(stream, `the snapshot of ${topic}`, ({ event, message }) => event === 'snapshot' && message.topic === topic);
/** The first delta that shows what it should. */
const delta = (stream: Answer, fits: (message: SessionsFrame & SessionFrame & { kind: 'delta' }) => boolean) =>
  next(stream, 'a delta', ({ event, message }) => event === 'delta' && fits(message));
/** In a delta, or in all anew where a node was slow to say what it knows. */
const shown = (stream: Answer, fits: (rows: readonly Session[]) => boolean) =>
  next(stream, 'rows', ({ message }) => fits(message?.upserted ?? message?.items ?? []));
const closed = async (stream: Answer) => {
  const frame = await next(stream, 'the end of the stream', ({ event }) => event === 'close');
  await stream.ended();
  return closeFrameSchema.parse(frame.message).reason;
};
const refused = async (stream: Answer) => [stream.status, JSON.parse(await stream.body()).code];

describe('the live stream', () => {
  it('shows sessions of all nodes, and what becomes of them, in numbered deltas', async () => {
    const { tenant, key, first, second } = await newTenant();
    const there = await new SessionClient(first, key).open();
    const topic = `sessions:${tenant}`;
    const stream = await watch(topic);
    expect(stream.headers['content-type']).toBe('text/event-stream');
    const begin = sessionsFrameSchema.parse((await snapshot(stream, topic)).message);
    expect(begin).toMatchObject({ number: 0, items: [{ id: there.sessionId }], more: false, silentNodes: [] });
    const other = await new SessionClient(second, key).open();
    await shown(stream, (rows) => rows.some((one) => one.id === other.sessionId));
    await other.delete();
    await delta(stream, ({ removed }) => removed.includes(other.sessionId));
    await (await new ModernClient(second, key).call('greet')).result();
    await shown(stream, (rows) => rows.some(({ era, node }) => era === 'stateless' && node === id(1)));
    const said = stream.frames.all.filter(({ event }) => event === 'delta' || event === 'snapshot');
    const frames = said.map(({ message }) => sessionsFrameSchema.parse(message));
    expect(frames.map(({ number }) => number)).toEqual(frames.map((_, at) => at));
  });

  it('shows one session with its messages, each once, whichever node they pass', async () => {
    const { tenant, key, first, second } = await newTenant();
    const one = await new SessionClient(first, key).open();
    const stream = await watch(`session:${tenant}/${one.sessionId}`);
    const begin = sessionFrameSchema.parse((await snapshot(stream, `session:${tenant}/${one.sessionId}`)).message);
    expect(begin.messages).toHaveLength(3);
    await (await one.at(second).call('greet')).result();
    await delta(stream, ({ messages }) => messages.some(({ kind, node }) => kind === 'response' && node === id(1)));
    await one.delete();
    await delta(stream, ({ session }) => session === undefined);
    const all = stream.frames.all.flatMap(({ event, message }) =>
      event === 'snapshot' || event === 'delta' ? sessionFrameSchema.parse(message).messages : [],
    );
    const places = all.map(({ node, sequence }) => `${node} ${sequence}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('shows finished calls and nodes on the same connection', async () => {
    const { tenant, key, second } = await newTenant();
    const stream = await watch(`calls:${tenant},nodes`);
    expect(callsFrameSchema.parse((await snapshot(stream, `calls:${tenant}`)).message)).toMatchObject({ items: [] });
    const begin = nodesFrameSchema.parse((await snapshot(stream, 'nodes')).message);
    expect(begin.kind === 'snapshot' && begin.items.map((node) => node.id).sort()).toEqual([id(0), id(1)].sort());
    await (await new ModernClient(second, key).call('greet')).result();
    const frame = await next(
      stream,
      'the call',
      ({ event, message }) => event === 'delta' && message.topic === `calls:${tenant}`,
    );
    expect(callsFrameSchema.parse(frame.message)).toMatchObject({
      upserted: [{ tool: 'greet', status: 'ok', node: id(1) }],
    });
    const beat = await next(stream, 'a beat', ({ event, message }) => event === 'delta' && message.topic === 'nodes');
    expect(nodesFrameSchema.parse(beat.message).kind).toBe('delta');
  });

  it('goes on behind the last event, and begins anew on another node', async () => {
    const { tenant, key, first } = await newTenant();
    const topic = `sessions:${tenant}`;
    const stream = await watch(topic);
    const { id: lastEventId } = await snapshot(stream, topic);
    stream.destroy();
    const opened = await new SessionClient(first, key).open();
    const again = await watch(topic, { lastEventId });
    await delta(again, ({ upserted }) => upserted.some((one) => one.id === opened.sessionId));
    expect(again.frames.all.filter(({ event }) => event === 'snapshot')).toEqual([]);
    const elsewhere = await watch(topic, { lastEventId, node: 1 });
    expect((await snapshot(elsewhere, topic)).message.items).toHaveLength(1);
  });
});

describe('who may watch', () => {
  it('is whoever may read the same, and of another tenant nobody learns anything', async () => {
    const { tenant } = await newTenant();
    const other = await newTenant();
    const { key } = await newKey(tenant, ['tenant:read']);
    const { key: callOnly } = await newKey(tenant, ['mcp:call']);
    await snapshot(await watch(`sessions:${tenant}`, { as: key }), `sessions:${tenant}`);
    const notFound = [404, 'not_found'];
    for (const topic of [`sessions:${other.tenant}`, `calls:${other.tenant}`, `session:${other.tenant}/x`]) {
      expect(await refused(await watch(`sessions:${tenant},${topic}`, { as: key }))).toEqual(notFound);
    }
    expect(await refused(await watch('sessions:nowhere', { as: key }))).toEqual(notFound);
    expect(await refused(await watch('nodes', { as: key }))).toEqual([403, 'forbidden']);
    expect(await refused(await watch(`calls:${tenant}`, { as: callOnly }))).toEqual([403, 'forbidden']);
    expect(await refused(await watch(`sessions:${tenant}`, { as: 'nobody' }))).toEqual([401, 'unauthenticated']);
    for (const topics of ['', 'x', 'sessions:', 'session:a', 'nodes:x', Array(17).fill('nodes:').join()]) {
      expect(await refused(await watch(topics))).toEqual([400, 'bad_request']);
    }
  });

  it('ends at once with the key, on whichever node it was revoked', async () => {
    const { tenant } = await newTenant();
    const { id: keyId, key } = await newKey(tenant, ['tenant:read']);
    const stream = await watch(`sessions:${tenant}`, { as: key });
    await snapshot(stream, `sessions:${tenant}`);
    await nodes.admin('DELETE', `/tenants/${tenant}/keys/${keyId}`, undefined, 1);
    expect(await closed(stream)).toBe('revoked');
  });

  it('ends at once with the sign-out of a person, and with the tenant', async () => {
    const { tenant } = await newTenant();
    const api = { db: nodes.db } as Api;
    const person = await addPerson(api, 'viewer');
    await addMember(api, tenant, person, 'viewer');
    const as = await openSession(api, person);
    const other = await openSession(api, person);
    const stream = await watch(`sessions:${tenant}`, { as });
    const stays = await watch(`sessions:${tenant}`, { as: other });
    await snapshot(stream, `sessions:${tenant}`);
    await snapshot(stays, `sessions:${tenant}`);
    await fetch(`${nodes.urls[1]}/api/v1/auth/sign-out`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}` },
    });
    expect(await closed(stream)).toBe('revoked');
    expect(stays.frames.all.some(({ event }) => event === 'close')).toBe(false);
    await nodes.admin('DELETE', `/tenants/${tenant}`);
    expect(await closed(stays)).toBe('revoked');
  });

  it('has a bounded number of streams', async () => {
    const { tenant } = await newTenant();
    const { key } = await newKey(tenant, ['tenant:read']);
    for (let at = 0; at < 20; at += 1) expect((await watch(`calls:${tenant}`, { as: key })).status).toBe(200);
    const more = await watch(`calls:${tenant}`, { as: key });
    expect([more.status, more.headers['retry-after']]).toEqual([429, '5']);
    streams.shift()?.destroy();
    await expect.poll(() => nodes.apps[0].nest.get(Streams).size).toBe(19);
    expect((await watch(`calls:${tenant}`, { as: key })).status).toBe(200);
  });
});

it('sends its readers away when the node is emptied', async () => {
  const { tenant } = await newTenant();
  const stream = await watch(`sessions:${tenant}`, { node: 1 });
  await snapshot(stream, `sessions:${tenant}`);
  await nodes.admin('POST', `/nodes/${id(1)}/drain`);
  expect(await closed(stream)).toBe('drain');
  await nodes.admin('POST', `/nodes/${id(1)}/undrain`);
});
