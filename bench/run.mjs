// The hot path beside bare Fastify, in one run: server CPU per 1,000 requests, ratios round by round.
//
//   npm run bench [-- --rounds 9 --warm 1.5 --dur 1.2 --strict 1]
//
// Ours runs as it ships: key, tenant and server routing, limits, validation, call log and metrics on. Each server is pinned to
// one processor and the generator to another; in each round every server meets every scenario in an order shuffled anew.
// Exits 1 when a median ratio is over its limit, or a server died.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '../scripts/lib/paths.mjs';
import { startFloor } from './lib/floor.mjs';
import { startGantry } from './lib/gantry.mjs';
import { generate } from './lib/generate.mjs';
import { quartiles, report } from './lib/report.mjs';

/** What is measured, and the ratio to bare Fastify that must hold. */
const SCENARIOS = [
  { name: 'call', connections: 32, limit: 2.5, label: 'tools/call of a template tool, 2026-07-28' },
  { name: 'list', connections: 32, limit: 1.2, label: 'tools/list of 21 tools, 2026-07-28' },
];

const option = (name, fallback) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? fallback : Number(process.argv[index + 1]);
};

run(async () => {
  const rounds = option('rounds', 9);
  const timing = { warm: option('warm', 1.5), dur: option('dur', 1.2) };
  const servers = [];
  try {
    servers.push(await startFloor(), await startGantry());
    const rows = await measure(servers, rounds, timing);
    const summary = summarise(rows);
    console.log(report(summary));
    mkdirSync(join(ROOT, 'bench/results'), { recursive: true });
    writeFileSync(
      join(ROOT, 'bench/results/latest.json'),
      JSON.stringify({ date: new Date().toISOString(), rows }, null, 1),
    );
    if (summary.some((line) => line.ratio.median > line.limit)) process.exitCode = 1;
  } finally {
    for (const server of servers.reverse()) await server.stop();
  }
});

async function measure(servers, rounds, timing) {
  const rows = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const scenario of SCENARIOS) {
      for (const server of shuffled(servers)) {
        const result = await generate(server, scenario, timing);
        if (!server.alive()) throw new Error(`${server.name} died during ${scenario.name}`);
        if (result.error || result.errors)
          throw new Error(`${server.name} ${scenario.name}: ${result.error ?? result.firstError}`);
        // The first round only warms code and caches.
        if (round > 0) rows.push({ round, server: server.name, scenario: scenario.name, ...result });
      }
    }
    if (round > 0) process.stderr.write(`round ${round} of ${rounds}\n`);
  }
  return rows;
}

function summarise(rows) {
  return SCENARIOS.map((scenario) => {
    const of = (server) => rows.filter((row) => row.scenario === scenario.name && row.server === server);
    const floor = of('fastify');
    const ours = of('gantry');
    const ratios = ours.map((row, index) => row.cpu_per_1k / floor[index].cpu_per_1k);
    return {
      label: `${scenario.label}, ${scenario.connections} connections`,
      limit: scenario.limit,
      floor: quartiles(floor.map((row) => row.cpu_per_1k)),
      ours: quartiles(ours.map((row) => row.cpu_per_1k)),
      ratio: quartiles(ratios),
    };
  });
}

function shuffled(list) {
  return list
    .map((item) => [Math.random(), item])
    .sort((a, b) => a[0] - b[0])
    .map(([, item]) => item);
}
