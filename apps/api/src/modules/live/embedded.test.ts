import type { SessionEnded, SessionPage } from '@gantry/contracts';
import { beforeAll, expect, it } from 'vitest';
import { ADMIN_TOKEN, useApi } from '../../../test/harness/api.js';
import { bearer, SessionClient } from '../../../test/wire/clients.js';
import { send } from '../../../test/wire/exchange.js';
import { NODE_ID } from '../../infra/tokens.js';

const api = useApi();
let base: string;
let mcp: string;
let key: string;
beforeAll(async () => {
  base = await api.app.fastify.listen({ host: '127.0.0.1', port: 0 });
  await api.post('/api/v1/tenants', { slug: 'acme', name: 'Acme' });
  await api.put('/api/v1/tenants/acme/servers/main', { name: 'Main', tools: [] });
  key = (await api.post('/api/v1/tenants/acme/keys', { name: 'k', scopes: ['mcp:call'] })).json().key;
  mcp = `${base}/mcp/acme/main`;
});

it('lists, shows live and ends sessions where there is one node and no Redis', async () => {
  const url = `${base}/api/v1/stream?topics=sessions:acme,nodes`;
  const stream = await send(url, { method: 'GET', headers: bearer(ADMIN_TOKEN) }).answer;
  const first = (topic: string) =>
    stream.frames.first(topic, ({ event, message }) => event === 'snapshot' && message.topic === topic);
  expect((await first('sessions:acme')).message).toMatchObject({ number: 0, items: [], silentNodes: [] });
  expect((await first('nodes')).message.items).toHaveLength(1);
  const session = await new SessionClient(mcp, key).open();
  const open = await session.get();
  await stream.frames.first(
    'the session with its stream',
    ({ event, message }) => event === 'delta' && message.upserted[0]?.streams === 1,
  );
  const page = (await api.get('/api/v1/tenants/acme/sessions')).json<SessionPage>();
  expect(page).toMatchObject({ items: [{ id: session.sessionId, streams: 1 }], silentNodes: [] });
  const ended = (await api.delete(`/api/v1/tenants/acme/sessions/${session.sessionId}`)).json<SessionEnded>();
  const node = api.app.nest.get<string>(NODE_ID);
  expect(ended).toEqual({ ended: true, nodes: [{ node, calls: 0, streams: 1 }], silentNodes: [] });
  await open.ended();
  await stream.frames.first(
    'the end of the session',
    ({ event, message }) => event === 'delta' && message.removed?.includes(session.sessionId),
  );
  stream.destroy();
});
