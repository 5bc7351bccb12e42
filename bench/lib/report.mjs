import { CASES } from './cases.mjs';

/** `{q1, median, q3}` of some numbers. */
export function quartiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => {
    const position = (sorted.length - 1) * share;
    const low = Math.floor(position);
    const high = Math.ceil(position);
    return sorted[low] + (sorted[high] - sorted[low]) * (position - low);
  };
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) };
}

/** For each case its floor, and each server's CPU and its ratio to the floor of the same round. */
export function summarise(rows, servers) {
  return CASES.map((entry, index) => {
    const of = (name) => rows.filter((row) => row.case === index && row.server === name);
    const floor = of('fastify');
    const others = servers.filter(({ name }) => name !== 'fastify' && of(name).length > 0);
    return {
      ...entry,
      floor: quartiles(floor.map((row) => row.cpu_per_1k)),
      servers: others.map(({ name }) => {
        const own = of(name);
        return {
          name,
          cpu: quartiles(own.map((row) => row.cpu_per_1k)),
          ratio: quartiles(own.map((row, round) => row.cpu_per_1k / floor[round].cpu_per_1k)),
        };
      }),
    };
  });
}

/** Whether a median of ours is over its limit. */
export function overLimit(summary) {
  return summary.some(({ servers, limit }) =>
    servers.some(({ name, ratio }) => name === 'gantry' && ratio.median > limit),
  );
}

/** The summary as a Markdown table. CPU is server milliseconds per 1,000 requests, with quartiles. */
export function report(summary) {
  const figure = (value, digits) =>
    `${value.median.toFixed(digits)} (${value.q1.toFixed(digits)}–${value.q3.toFixed(digits)})`;
  // cpu_per_1k counts seconds a thousand requests; a thousand times that is milliseconds.
  const cpu = ({ q1, median, q3 }) => figure({ q1: q1 * 1_000, median: median * 1_000, q3: q3 * 1_000 }, 1);
  const lines = summary.flatMap(({ label, connections, limit, floor, servers }) => [
    `| ${label}, ${connections} connections | bare Fastify | ${cpu(floor)} | 1 | |`,
    ...servers.map(({ name, cpu: own, ratio }) => {
      const goal = name === 'gantry' ? `≤ ${limit} ${ratio.median <= limit ? '✓' : '✗'}` : '';
      return `| | ${name} | ${cpu(own)} | ${figure(ratio, 2)} | ${goal} |`;
    }),
  ]);
  return ['| what | server | CPU ms/1k | × bare Fastify | goal |', '|---|---|---|---|---|', ...lines].join('\n');
}
