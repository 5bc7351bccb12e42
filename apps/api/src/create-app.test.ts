import { describe, expect, it } from 'vitest';
import { useApi } from '../test/harness/api.js';

const api = useApi();

describe('createApp', () => {
  it('answers liveness and readiness without credentials', async () => {
    expect((await api.get('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await api.get('/readyz');
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({ status: 'ready', dependencies: { postgres: { ok: true } } });
  });
});
