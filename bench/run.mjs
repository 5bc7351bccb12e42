// The hot path beside bare Fastify and beside peers, in one run: server CPU per 1,000 requests, ratios round by round.
//
//   npm run bench [-- --rounds 9 --warm 1.5 --dur 1.2 --peers 1]
//
// Ours runs as it ships: key, tenant and server routing, limits, validation, call log and metrics on. Each server is pinned to
// one processor and the generator to another; in each round every server meets every case in an order shuffled anew.
// Exits 1 when a median ratio of ours is over its limit, or a server died.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from '../scripts/lib/paths.mjs';
import { CASES, takesPart } from './lib/cases.mjs';
import { startFloor } from './lib/floor.mjs';
import { startGantry } from './lib/gantry.mjs';
import { generate } from './lib/generate.mjs';
import { startPeers } from './lib/peers.mjs';
import { overLimit, report, summarise } from './lib/report.mjs';

const option = (name, fallback) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? fallback : Number(process.argv[index + 1]);
};

run(async () => {
  const rounds = option('rounds', 9);
  const timing = { warm: option('warm', 1.5), dur: option('dur', 1.2) };
  const servers = [];
  try {
    servers.push(await startFloor());
    servers.push(await startGantry());
    if (option('peers', 1) > 0) servers.push(...(await startPeers()));
    const rows = await measure(servers, rounds, timing);
    const summary = summarise(rows, servers);
    console.log(report(summary));
    mkdirSync(join(ROOT, 'bench/results'), { recursive: true });
    const result = { date: new Date().toISOString(), rows };
    writeFileSync(join(ROOT, 'bench/results/latest.json'), JSON.stringify(result, null, 1));
    if (overLimit(summary)) process.exitCode = 1;
  } finally {
    for (const server of servers.reverse()) await server.stop();
  }
});

async function measure(servers, rounds, timing) {
  const rows = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, entry] of CASES.entries()) {
      for (const server of shuffled(servers.filter((candidate) => takesPart(candidate, entry)))) {
        const result = await generate(server, entry, timing);
        if (!server.alive()) throw new Error(`${server.name} died during ${entry.label}`);
        if (result.error || result.errors)
          throw new Error(`${server.name}, ${entry.label}: ${result.error ?? result.firstError}`);
        // The first round only warms code and caches.
        if (round > 0) rows.push({ round, server: server.name, case: index, ...result });
      }
    }
    if (round > 0) process.stderr.write(`round ${round} of ${rounds}\n`);
  }
  return rows;
}

function shuffled(list) {
  return list
    .map((item) => [Math.random(), item])
    .sort((a, b) => a[0] - b[0])
    .map(([, item]) => item);
}
