// What Gantry costs, measured beside the least that the same could cost, and beside peers, in one run.
//
//   npm run bench [-- --only calls,events,jobs,commands,idle --rounds 9 --warm 1.5 --dur 1.2 --peers 1 --sessions 10000]
//
//   calls     the hot path beside bare Fastify and peers: server CPU, ratios round by round
//   events    an event raised on one node, read from a stream of another, beside a script and a raw write
//   jobs      from a call to the first progress of its job, beside a row, BullMQ and a word, on both backends
//   commands  Redis commands of a session call, an event, initialize and an idle node
//   idle      many idle sessions with open streams on one node: memory, opening, telling them all
//
// Ours runs as it ships: key, tenant and server routing, limits, validation, call log and metrics on. Servers are pinned to one
// processor and the generator to another. Exits 1 when a figure of ours is over its limit, or a server died.
import { run, Stop } from '../scripts/lib/paths.mjs';
import { measureCalls } from './lib/calls.mjs';
import { measureEvents } from './lib/events-over-nodes.mjs';
import { measureIdle } from './lib/idle-sessions.mjs';
import { measureJobs } from './lib/jobs.mjs';
import { countCommands } from './lib/redis-commands.mjs';

const option = (name, fallback) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? fallback : process.argv[index + 1];
};

const number = (name, fallback) => Number(option(name, fallback));

const PARTS = {
  calls: () =>
    measureCalls({
      rounds: number('rounds', 9),
      timing: { warm: number('warm', 1.5), dur: number('dur', 1.2) },
      peers: number('peers', 1) > 0,
    }),
  events: () => measureEvents(number('rounds', 9)),
  jobs: () => measureJobs(number('rounds', 9)),
  commands: countCommands,
  idle: () => measureIdle(number('sessions', 10_000)),
};

run(async () => {
  for (const name of option('only', Object.keys(PARTS).join(',')).split(',')) {
    const part = PARTS[name];
    if (part === undefined) throw new Stop(`--only: expected some of ${Object.keys(PARTS).join(',')}, got "${name}"`);
    const { text, ok } = await part();
    console.log(`\n${text}`);
    if (!ok) process.exitCode = 1;
  }
});
