import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120];

/** A request that ended, with labels of bounded number. */
export interface ObservedRequest {
  readonly method: string;
  readonly status: string;
  readonly era: string;
  readonly durationMs: number;
}

/** The process's metrics. Labels never hold what a client or a tenant may choose freely. */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'gantry_mcp_request_duration_seconds',
    help: 'Time from classification to the end of the answer, by method and era',
    labelNames: ['method', 'era'] as const,
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });
  private readonly requests = new Counter({
    name: 'gantry_mcp_requests_total',
    help: 'MCP requests by method, era and how they ended',
    labelNames: ['method', 'era', 'status'] as const,
    registers: [this.registry],
  });
  /** Counted in plain memory and handed over when somebody scrapes: the hot path pays one map look-up. */
  private readonly pending = new Map<string, { request: ObservedRequest; count: number }>();
  private readonly methods: ReadonlySet<string>;

  constructor(methods: Iterable<string>) {
    this.methods = new Set(methods);
    collectDefaultMetrics({ register: this.registry, prefix: 'gantry_' });
  }

  observe(request: ObservedRequest): void {
    const method = this.methods.has(request.method) ? request.method : 'other';
    this.durations.observe({ method, era: request.era }, request.durationMs / 1_000);
    const key = `${method}|${request.era}|${request.status}`;
    const known = this.pending.get(key);
    if (known !== undefined) known.count += 1;
    else this.pending.set(key, { request: { ...request, method }, count: 1 });
  }

  /** A value that is read when somebody scrapes: the depth of a queue, a number of streams. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name: `gantry_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  counter(name: string, help: string): (by?: number) => void {
    const counter = new Counter({ name: `gantry_${name}`, help, registers: [this.registry] });
    return (by = 1) => counter.inc(by);
  }

  /** The exposition text (Prometheus 0.0.4). */
  text(): Promise<string> {
    for (const { request, count } of this.pending.values()) {
      this.requests.inc({ method: request.method, era: request.era, status: request.status }, count);
    }
    this.pending.clear();
    return this.registry.metrics();
  }
}

/** Serves `/metrics` on a port of its own. Resolves when it listens. */
export async function serveMetrics(metrics: Metrics, host: string, port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    try {
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
