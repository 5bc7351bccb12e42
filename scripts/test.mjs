// npm test: every ring of tests. --long: the full lengths; --only <ring>: one ring by itself, may be repeated.
import { parseArgs } from 'node:util';
import { build, hasConsole } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { run, Stop } from './lib/paths.mjs';
import { RINGS, runRing, table } from './lib/rings.mjs';
import { ensureProgram } from './lib/system-packages.mjs';

run(async () => {
  const { long, only } = options();
  const rings = chosen(only);
  await ensureInstalled();
  const env = {};
  for (const program of new Set(rings.flatMap(({ needs = [] }) => needs))) {
    const [variable, path] = ensureProgram(program);
    env[variable] = path;
  }
  if (long) env.GANTRY_TEST_LONG = '1';
  console.log('Building …');
  await build(['@gantry/api', ...(hasConsole() ? ['@gantry/admin'] : [])]);

  const results = [];
  for (const ring of rings) {
    const result = await runRing(ring, env);
    console.log(`${ring.name}: ${result.passed} passed, ${result.failed} failed (${result.seconds.toFixed(1)} s)`);
    results.push(result);
  }
  const lines = table(results);
  console.log(`\n${lines.join('\n')}\n`);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`${results.reduce((sum, result) => sum + result.passed, 0)} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
});

function chosen(only) {
  if (!only) return RINGS;
  return only.map((name) => {
    const ring = RINGS.find((one) => one.name === name);
    if (!ring) throw new Stop(`there is no ring "${name}": expected one of ${RINGS.map((one) => one.name).join(', ')}`);
    return ring;
  });
}

function options() {
  try {
    return parseArgs({ options: { long: { type: 'boolean' }, only: { type: 'string', multiple: true } } }).values;
  } catch (error) {
    throw new Stop(error.message.split('\n')[0]);
  }
}
