// npm run build: apps/api/dist/main.js and the console. Needs no service and no variable.
import { build, hasConsole } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { run } from './lib/paths.mjs';

run(async () => {
  await ensureInstalled();
  const started = Date.now();
  await build(['@gantry/api', ...(hasConsole() ? ['@gantry/admin'] : [])], { quiet: false });
  console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
});
