/** One selection of one version of the official suite. */
export interface Run {
  readonly name: string;
  /** Package, as installed. */
  readonly suite: string;
  readonly args: readonly string[];
}

const OLD = 'conformance-0.1.16';
const NEW = '@modelcontextprotocol/conformance';
const newest = (name: string, ...args: string[]): Run => ({ name: `alpha.12 ${name}`, suite: NEW, args });

/** Everything this server claims to pass; what each must come to stands in recorded.json. */
export const runs: readonly Run[] = [
  { name: '0.1.16 all', suite: OLD, args: ['--suite', 'all'] },
  newest('2026-07-28', '--suite', 'all', '--spec-version', '2026-07-28'),
  newest('requirements 2025-11-25', '--requirements', '2025-11-25'),
  newest('2025-11-25', '--suite', 'all', '--spec-version', '2025-11-25'),
  newest('2025-06-18', '--suite', 'all', '--spec-version', '2025-06-18'),
  newest('2025-03-26', '--suite', 'all', '--spec-version', '2025-03-26'),
];
