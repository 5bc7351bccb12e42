// npm run conformance: the official suite against a server of ours, as a table. --record: take what it found for the
// numbers to come up to, to be read before it is committed.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { ROOT, run } from './lib/paths.mjs';
import { RINGS, runRing } from './lib/rings.mjs';

const RECORDED = join(ROOT, 'apps/api/test/conformance/recorded.json');

run(async () => {
  const { record } = parseArgs({ options: { record: { type: 'boolean' } } }).values;
  await ensureInstalled();
  console.log('Building …');
  await build(['@gantry/api']);
  const folder = mkdtempSync(join(tmpdir(), 'gantry-conformance-report-'));
  try {
    const ring = RINGS.find(({ name }) => name === 'conformance');
    const result = await runRing(ring, { GANTRY_CONFORMANCE_REPORT: folder });
    const reports = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
    for (const { name, rows } of reports) console.log(`\n${lines(name, rows).join('\n')}`);
    if (record) writeFileSync(RECORDED, `${JSON.stringify(Object.fromEntries(reports.map(recorded)), null, 2)}\n`);
    console.log('\nS succeeded, F failed, W warned, K skipped: checks of the suite');
    console.log(`\n${result.passed} passed, ${result.failed} failed`);
    process.exit(result.failed === 0 ? 0 : 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const sum = (rows, field) => rows.reduce((total, row) => total + row[field], 0);
const sums = (rows) => Object.fromEntries(['S', 'F', 'W', 'K'].map((field) => [field, sum(rows, field)]));

function lines(name, rows) {
  const line = (title, row) =>
    title.padEnd(48) + ['S', 'F', 'W', 'K'].map((field) => String(row[field]).padStart(5)).join('');
  const head = name.padEnd(48) + ['S', 'F', 'W', 'K'].map((field) => field.padStart(5)).join('');
  return [head, ...rows.map((row) => line(`  ${row.scenario}`, row)), line('  all', sums(rows))];
}

/** One entry of recorded.json. */
function recorded({ name, rows }) {
  const scenarios = Object.fromEntries(rows.map(({ scenario, S }) => [scenario, S]));
  return [name, { scenarios, skipped: rows.flatMap(({ skipped }) => skipped) }];
}
