import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGantry } from '../harness/process.js';
import { conformanceDocument } from './fixtures/document.js';
import { countsOf, faultsOf, type Outcome, type Recorded } from './gate.js';
import recorded from './recorded.json' with { type: 'json' };
import { type Run, runs } from './runs.js';
import { runSuite, type Target } from './suite.js';

const RUN_MS = 300_000;
/** Where the table of `npm run conformance` gets its numbers. */
const REPORT = process.env.GANTRY_CONFORMANCE_REPORT;

function expectation({ name, successes }: Run): Recorded {
  const found = (recorded as Record<string, Omit<Recorded, 'total'>>)[name];
  if (found === undefined) throw new Error(`recorded.json says nothing of the run "${name}"`);
  return { ...found, total: successes };
}

describe('the official suite', () => {
  const gantry = useGantry();
  let target: Target;

  beforeAll(async () => {
    await gantry.tenant('referee');
    await gantry.server('referee', 'conformance', conformanceDocument);
    target = { url: gantry.mcpUrl('referee', 'conformance'), key: (await gantry.key('referee')).key };
  });

  it.each(runs.map((run) => [run.name, run] as const))(
    '%s finds nothing to complain of',
    async (_, run) => {
      const outcome = await runSuite(run, target);
      if (REPORT) report(REPORT, run.name, outcome);
      expect(faultsOf(outcome, expectation(run))).toEqual([]);
    },
    RUN_MS,
  );

  it('has no warning or error of ours in the log', () => {
    expect(gantry.output()).toBe('');
  });
});

it(
  'fails a server that is not there',
  async () => {
    const [run] = runs;
    const outcome = await runSuite(run!, { url: 'http://127.0.0.1:1/mcp/referee/conformance', key: 'none' });
    const faults = faultsOf(outcome, expectation(run!));
    expect(faults.length).toBeGreaterThan(Object.keys(expectation(run!).scenarios).length / 2);
  },
  RUN_MS,
);

it(
  'fails a selection that is empty',
  async () => {
    const run = { ...runs[0]!, args: ['--suite', 'all', '--spec-version', '2025-03-26'] };
    const outcome = await runSuite(run, { url: 'http://127.0.0.1:1/mcp', key: 'none' });
    expect(outcome.code).toBe(0);
    expect(faultsOf(outcome, { total: 0, scenarios: {}, skipped: [] })).toEqual([
      expect.stringContaining('nothing ran'),
    ]);
  },
  RUN_MS,
);

function report(folder: string, name: string, { scenarios }: Outcome): void {
  mkdirSync(folder, { recursive: true });
  const rows = [...scenarios].map(([scenario, checks]) => ({
    scenario,
    ...countsOf(checks ?? []),
    skipped: (checks ?? []).flatMap(({ id, status }) => (status === 'SKIPPED' ? [`${scenario}:${id}`] : [])),
  }));
  writeFileSync(join(folder, `${runs.findIndex((run) => run.name === name)}.json`), JSON.stringify({ name, rows }));
}
