// npm run checklists: writes docs/conformance.md and docs/cases.md. --check: fails when one of them is stale, or when
// an id that is due has no test.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pagesOf, readChecklists } from './lib/checklists.mjs';
import { ROOT } from './lib/paths.mjs';

const { check } = parseArgs({ options: { check: { type: 'boolean' } } }).values;
const { lists, faults } = readChecklists(ROOT);
for (const { path, text } of pagesOf(lists)) {
  const file = join(ROOT, path);
  if (!check) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    faults.push(`${path} is stale: run "npm run checklists"`);
  }
}
for (const fault of faults) console.error(fault);
const rows = lists.flatMap((list) => list.rows);
console.log(
  `${rows.length} rows, ${rows.filter(({ tests }) => tests.length > 0).length} with tests, ${faults.length} faults`,
);
process.exit(faults.length === 0 ? 0 : 1);
