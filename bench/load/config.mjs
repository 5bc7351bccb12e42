// What one run of the generator is told, and what its servers have spent so far.
import { readFileSync } from 'node:fs';

/**
 * `{url, headers, era, pids, scenario, timeoutMs}`, and by scenario `c` connections, `warmCpu`, `durCpu` in seconds of the
 * servers' CPU, `warmMs`, `durMs`; or `sessions` and `broadcastBy` `{url, init}` for `idle`.
 */
export const config = JSON.parse(process.argv[2]);
export const MODERN = config.era >= '2026';

const pids = config.pids ?? [];

/** CPU seconds of the servers. */
export function cpuSeconds() {
  let ticks = 0;
  for (const pid of pids) {
    const stat = read(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0); // utime and stime, in hundredths of a second
  }
  return ticks / 100;
}

export function rssKiB() {
  let kib = 0;
  for (const pid of pids) kib += Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  return kib;
}

/** Of a server that is gone nothing. */
function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
