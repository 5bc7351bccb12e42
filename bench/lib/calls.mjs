// The hot path beside bare Fastify and beside peers: server CPU per 1,000 requests, ratios round by round.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { CASES, takesPart } from './cases.mjs';
import { startFloor } from './floor.mjs';
import { startGantry } from './gantry.mjs';
import { generate } from './generate.mjs';
import { startPeers } from './peers.mjs';
import { overLimit, report, summarise } from './report.mjs';

/** @returns `{text, ok}` */
export async function measureCalls({ rounds, timing, peers }) {
  const servers = [];
  try {
    servers.push(await startFloor());
    servers.push(await startGantry());
    if (peers) servers.push(...(await startPeers()));
    const rows = await measure(servers, rounds, timing);
    const summary = summarise(rows, servers);
    mkdirSync(join(ROOT, 'bench/results'), { recursive: true });
    const result = { date: new Date().toISOString(), rows };
    writeFileSync(join(ROOT, 'bench/results/latest.json'), JSON.stringify(result, null, 1));
    return { text: report(summary), ok: !overLimit(summary) };
  } finally {
    for (const server of servers.reverse()) await server.stop();
  }
}

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
