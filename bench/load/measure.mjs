import { config, cpuSeconds, rssKiB } from './config.mjs';
import { reconnected } from './connection.mjs';

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Of sorted numbers; null of none. */
export function percentile(sorted, share) {
  return sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))];
}

/**
 * Warms, measures, and tells.
 * @param start begins the work and gives a promise of its end; told `{stopping, record(startedAt, ok, why)}`
 */
export async function measure(start) {
  const latencies = [];
  let errors = 0;
  let firstError;
  let measuring = false;
  const state = {
    stopping: false,
    record(startedAt, ok, why) {
      if (!ok) {
        errors++;
        firstError ??= why();
      }
      if (measuring) latencies.push(performance.now() - startedAt);
    },
  };
  const running = start(state);
  await spend(config.warmCpu, config.warmMs);
  const [cpuBefore, ownBefore, before] = [cpuSeconds(), process.cpuUsage(), performance.now()];
  measuring = true;
  await spend(config.durCpu, config.durMs);
  measuring = false;
  const [cpu, own, secs] = [
    cpuSeconds() - cpuBefore,
    process.cpuUsage(ownBefore),
    (performance.now() - before) / 1_000,
  ];
  state.stopping = true;
  await Promise.race([running, sleep(5_000)]);
  latencies.sort((a, b) => a - b);
  const ops = latencies.length;
  return {
    ops,
    secs,
    rps: ops / secs,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    cpu,
    cpu_per_1k: ops ? (cpu * 1_000) / ops : null,
    srv_util: cpu / secs,
    gen_util: (own.user + own.system) / 1e6 / secs,
    rss_mib: rssKiB() / 1_024,
    errors,
    firstError,
    reconnects: reconnected(),
  };
}

/**
 * Until the server has spent so many CPU seconds on this very scenario (V8 drops compiled code from idle processes), but no
 * longer than three times `ms`: a machine may be contended. Without a known server so many `ms`.
 */
async function spend(cpu, ms) {
  const known = config.pids.length > 0;
  const end = performance.now() + (known ? ms * 3 : ms);
  const from = cpuSeconds();
  do await sleep(50);
  while (performance.now() < end && (!known || cpuSeconds() - from < cpu));
}
