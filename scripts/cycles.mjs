// npm run cycles: the direction of imports, and that they make no circle.
import { checkImports } from './lib/check-imports.mjs';
import { ROOT } from './lib/paths.mjs';

const { faults, files } = checkImports(ROOT);
for (const fault of faults) console.error(fault);
console.log(`${files} files, ${faults.length} breaches of the import rules`);
process.exit(faults.length === 0 ? 0 : 1);
