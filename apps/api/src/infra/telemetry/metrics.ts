import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type ObservedRequest, RequestMetric } from './request-metric.js';

/** The process's metrics. Labels never hold what a client or a tenant may choose freely. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests: RequestMetric;

  /** @param methods the JSON-RPC methods that get a label of their own */
  constructor(methods: Iterable<string>) {
    this.requests = new RequestMetric(new Set(methods), this.registry);
    collectDefaultMetrics({ register: this.registry, prefix: 'gantry_' });
  }

  observe(request: ObservedRequest): void {
    this.requests.observe(request);
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
