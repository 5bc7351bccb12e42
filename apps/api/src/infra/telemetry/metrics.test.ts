import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Metrics, serveMetrics } from './metrics.js';

it('shows what was observed since the last look, and keeps counting', async () => {
  const metrics = new Metrics(['tools/call']);
  const call = { method: 'tools/call', era: 'stateless', status: 'ok', durationMs: 3 };
  metrics.observe(call);
  metrics.observe(call);
  expect(await metrics.text()).toContain(
    'gantry_mcp_requests_total{method="tools/call",era="stateless",status="ok"} 2',
  );
  metrics.observe(call);
  const text = await metrics.text();
  expect(text).toContain('gantry_mcp_requests_total{method="tools/call",era="stateless",status="ok"} 3');
  expect(text).toContain('gantry_mcp_request_duration_seconds_count{method="tools/call",era="stateless"} 3');
});

it('folds methods a client made up into one label', async () => {
  const metrics = new Metrics(['tools/call']);
  for (const method of ['x', 'y']) metrics.observe({ method, era: 'session', status: 'refused', durationMs: 1 });
  const text = await metrics.text();
  expect(text).toContain('gantry_mcp_requests_total{method="other",era="session",status="refused"} 2');
  expect(text).not.toContain('method="x"');
});

it('reads a gauge when it is scraped, over HTTP', async () => {
  const metrics = new Metrics([]);
  let depth = 1;
  metrics.gauge('queue_depth', 'Things waiting', () => depth);
  const server = await serveMetrics(metrics, '127.0.0.1', 0);
  try {
    depth = 7;
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(await answer.text()).toContain('gantry_queue_depth 7');
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  } finally {
    server.close();
  }
});
