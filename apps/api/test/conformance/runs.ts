/** One selection of one version of the official suite. */
export interface Run {
  readonly name: string;
  /** Package, as installed. */
  readonly suite: string;
  readonly args: readonly string[];
  /** Of a server that passes everything. */
  readonly successes: number;
}

const OLD = 'conformance-0.1.16';
const NEW = '@modelcontextprotocol/conformance';
const newest = (successes: number, name: string, ...args: string[]): Run => ({
  name: `alpha.12 ${name}`,
  suite: NEW,
  args,
  successes,
});

/** Everything this server claims to pass; successes of each scenario, and the skipped checks, stand in recorded.json. */
export const runs: readonly Run[] = [
  { name: '0.1.16 all', suite: OLD, args: ['--suite', 'all'], successes: 47 },
  newest(234, 'all', '--suite', 'all'),
  newest(196, 'requirements 2026-07-28', '--requirements', '2026-07-28'),
  newest(152, '2026-07-28', '--suite', 'all', '--spec-version', '2026-07-28'),
  newest(84, 'requirements 2025-11-25', '--requirements', '2025-11-25'),
  newest(84, '2025-11-25', '--suite', 'all', '--spec-version', '2025-11-25'),
  newest(56, '2025-06-18', '--suite', 'all', '--spec-version', '2025-06-18'),
  newest(3, '2025-03-26', '--suite', 'all', '--spec-version', '2025-03-26'),
];
