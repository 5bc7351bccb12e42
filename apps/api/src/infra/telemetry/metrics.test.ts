import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Metrics, serveMetrics } from './metrics.js';

const NAME = 'gantry_mcp_request_duration_seconds';

it('counts requests by method, era and outcome, in cumulative buckets', async () => {
  const metrics = new Metrics(['tools/call']);
  const call = { method: 'tools/call', era: 'stateless', status: 'ok', durationMs: 3 };
  metrics.observe(call);
  metrics.observe({ ...call, durationMs: 700 });
  metrics.observe({ ...call, durationMs: 500_000 });
  metrics.observe({ ...call, era: 'session' });
  const text = await metrics.text();
  const labels = 'method="tools/call",era="stateless",status="ok"';
  expect(text).toContain(`# TYPE ${NAME} histogram`);
  expect(text).toContain(`${NAME}_bucket{${labels},le="0.001"} 0\n`);
  expect(text).toContain(`${NAME}_bucket{${labels},le="0.005"} 1\n`);
  expect(text).toContain(`${NAME}_bucket{${labels},le="1"} 2\n`);
  expect(text).toContain(`${NAME}_bucket{${labels},le="+Inf"} 3\n`);
  expect(text).toContain(`${NAME}_count{${labels}} 3\n`);
  expect(text).toContain(`${NAME}_sum{${labels}} 500.703\n`);
  expect(text).toContain(`${NAME}_count{method="tools/call",era="session",status="ok"} 1\n`);
});

it('folds methods a client made up into one label', async () => {
  const metrics = new Metrics(['tools/call']);
  for (const method of ['x', 'y']) metrics.observe({ method, era: 'session', status: 'refused', durationMs: 1 });
  const text = await metrics.text();
  expect(text).toContain(`${NAME}_count{method="other",era="session",status="refused"} 2`);
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
