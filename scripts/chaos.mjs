// npm run chaos: sessions of official clients on three nodes, while nodes are killed and Redis is cut and restarted; nothing may be
// lost, doubled or out of order. --seconds 600 --seed N
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { runChaos } from './lib/chaos.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { run, Stop } from './lib/paths.mjs';

run(async () => {
  const { seconds, seed } = options();
  await ensureInstalled();
  console.log('Building …');
  await build(['@gantry/api']);
  if (!runChaos({ seconds, seed })) throw new Stop('the run found faults; the seed above makes the same choices');
});

function options() {
  const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
  const seconds = Number(values.seconds ?? 600);
  if (!(seconds >= 30 && seconds <= 7_200)) throw new Stop(`--seconds: expected 30 to 7200, got "${values.seconds}"`);
  return { seconds, seed: values.seed };
}
