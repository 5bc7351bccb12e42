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

/** The summary as a Markdown table. CPU is server milliseconds per 1,000 requests. */
export function report(summary) {
  const figure = (value, digits) =>
    `${value.median.toFixed(digits)} (${value.q1.toFixed(digits)}–${value.q3.toFixed(digits)})`;
  // cpu_per_1k counts seconds a thousand requests; a thousand times that is milliseconds.
  const cpu = (value) => figure({ q1: value.q1 * 1_000, median: value.median * 1_000, q3: value.q3 * 1_000 }, 1);
  const lines = summary.map(
    (line) =>
      `| ${line.label} | ${cpu(line.floor)} | ${cpu(line.ours)} | ${figure(line.ratio, 2)} | ≤ ${line.limit} ${line.ratio.median <= line.limit ? '✓' : '✗'} |`,
  );
  return [
    '| what | bare Fastify, CPU ms/1k | Gantry, CPU ms/1k | ratio | goal |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
