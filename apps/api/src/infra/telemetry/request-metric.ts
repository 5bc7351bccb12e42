import type { MetricObject, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120];

/** A request that ended. */
export interface ObservedRequest {
  readonly method: string;
  readonly status: string;
  readonly era: string;
  readonly durationMs: number;
}

interface Series {
  readonly labels: { method: string; era: string; status: string };
  readonly counts: number[];
  count: number;
  sum: number;
}

/**
 * A histogram of request durations by method, era and outcome. Counting is two map look-ups and an addition: the
 * library's own histogram hashes its labels at each observation, which the hot path would feel.
 */
export class RequestMetric {
  readonly name = 'gantry_mcp_request_duration_seconds';
  private readonly help = 'Time from classification to the end of the answer, by method, era and how it ended';
  private readonly series = new Map<string, Map<string, Series>>();

  /** Methods outside `methods` are counted as "other": a client may make up as many as it likes. */
  constructor(
    private readonly methods: ReadonlySet<string>,
    registry: Registry,
  ) {
    registry.registerMetric(this as unknown as Parameters<Registry['registerMetric']>[0]);
  }

  observe({ method, era, status, durationMs }: ObservedRequest): void {
    const series = this.find(this.methods.has(method) ? method : 'other', era, status);
    const seconds = durationMs / 1_000;
    series.count += 1;
    series.sum += seconds;
    for (let at = 0; at < BUCKETS.length; at += 1) {
      if (seconds <= (BUCKETS[at] as number)) {
        series.counts[at] = (series.counts[at] as number) + 1;
        return;
      }
    }
  }

  /** What the registry asks for at a scrape. */
  async get(): Promise<MetricObjectWithValues<MetricValue<string>>> {
    const values: (MetricValue<string> & { metricName: string })[] = [];
    for (const byOutcome of this.series.values()) {
      for (const { labels, counts, count, sum } of byOutcome.values()) {
        let below = 0;
        for (const [at, le] of BUCKETS.entries()) {
          below += counts[at] as number;
          values.push({ labels: { ...labels, le }, value: below, metricName: `${this.name}_bucket` });
        }
        values.push({ labels: { ...labels, le: '+Inf' }, value: count, metricName: `${this.name}_bucket` });
        values.push({ labels, value: sum, metricName: `${this.name}_sum` });
        values.push({ labels, value: count, metricName: `${this.name}_count` });
      }
    }
    const about = { name: this.name, help: this.help, type: 'histogram', aggregator: 'sum' } as unknown as MetricObject;
    return { ...about, values } as MetricObjectWithValues<MetricValue<string>>;
  }

  reset(): void {
    this.series.clear();
  }

  private find(method: string, era: string, status: string): Series {
    const key = era + status;
    let byOutcome = this.series.get(method);
    if (byOutcome === undefined) this.series.set(method, (byOutcome = new Map()));
    let series = byOutcome.get(key);
    if (series === undefined) {
      series = { labels: { method, era, status }, counts: BUCKETS.map(() => 0), count: 0, sum: 0 };
      byOutcome.set(key, series);
    }
    return series;
  }
}
