import type { SessionPage } from '@gantry/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../scripts/lib/redis.mjs';
import { type Api, openApi } from '../../../test/harness/api.js';
import { SessionClient } from '../../../test/wire/clients.js';
import { createLogger } from '../../common/logging/logger.js';

const path = '/api/v1/tenants/acme/sessions';
const lines: { level: number; code?: string }[] = [];
let redis: RedisServer;
let api: Api;
let sessionId: string;

beforeAll(async () => {
  redis = await startTemporaryRedis({ appendOnly: true });
  const logger = createLogger('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
  api = await openApi({ config: { redisUrls: [redis.url] }, logger });
  await api.post('/api/v1/tenants', { slug: 'acme', name: 'Acme' });
  const tools = [{ name: 'greet', description: 'Greets.', inputSchema: { type: 'object' }, template: { text: 'Hi' } }];
  await api.put('/api/v1/tenants/acme/servers/main', { name: 'Main', tools });
  const { key } = (await api.post('/api/v1/tenants/acme/keys', { name: 'k', scopes: ['mcp:call'] })).json();
  const url = await api.app.fastify.listen({ host: '127.0.0.1', port: 0 });
  sessionId = (await new SessionClient(`${url}/mcp/acme/main`, key).open()).sessionId as string;
});
afterAll(async () => {
  await api.close();
  await redis.stop();
});

const comesBack = () =>
  vi.waitFor(
    async () => {
      const answer = await api.get(path);
      expect(answer.statusCode).toBe(200);
      expect(answer.json<SessionPage>().items.map(({ id }) => id)).toEqual([sessionId]);
    },
    { timeout: 20_000 },
  );

describe.each([
  ['has stopped', () => redis.kill(), () => redis.start()],
  ['stands still', () => redis.pause(), () => redis.resume()],
] as const)('when Redis %s', (_how, leave, back) => {
  it('every question about sessions is refused as unavailable for now, without a fault in the log', async () => {
    await comesBack();
    lines.splice(0);
    await leave();
    const answers = await Promise.all([
      api.get(path),
      api.get(`${path}/${sessionId}`),
      api.get(`${path}/nobody`),
      api.get(`${path}/${sessionId}/messages`),
      api.delete(`${path}/${sessionId}`),
      api.post(`${path}/${sessionId}/calls/x/cancel`),
      api.get('/api/v1/nodes'),
    ]);
    const told = answers.map((answer) => [answer.statusCode, answer.json().code, answer.headers['retry-after']]);
    expect(told).toEqual(answers.map(() => [503, 'unavailable', '1']));
    expect(lines.filter(({ code }) => code === 'unavailable')).toHaveLength(answers.length);
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    await back();
    await comesBack();
  });
});
