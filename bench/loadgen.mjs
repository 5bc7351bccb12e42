// One scenario against one MCP endpoint; prints one JSON line. Raw sockets and a small HTTP/1.1 reader, so that the generator
// costs less than any server under test (compare `gen_util` in the output: the generator saturates at 1).
//   node loadgen.mjs '<json>'     as load/config.mjs says; started by lib/generate.mjs
import { config, MODERN } from './load/config.mjs';
import { Conn } from './load/connection.mjs';
import { idle } from './load/idle.mjs';
import { measure, sleep } from './load/measure.mjs';
import { newId, openSession, send, template } from './load/requests.mjs';
import { isRight, isWholly, SCENARIOS } from './load/scenarios.mjs';

const CHECKED = 4;

const connections = () => Promise.all(Array.from({ length: config.c }, () => new Conn().open()));
const short = (status, body) => `${status} ${body.toString().slice(0, 200)}`;

/** Every connection, in a session of its own, asks again as soon as it is answered. */
async function closedLoop(name) {
  const scenario = SCENARIOS[name];
  const conns = await connections();
  const sessions = await Promise.all(conns.map(openSession));
  for (const [at, conn] of conns.slice(0, CHECKED).entries()) {
    const answer = await send(conn, scenario.tpl(sessions[at]));
    if (!isWholly(scenario, answer)) {
      throw new Error(`check of ${name}: ${answer.status} ${answer.body.toString().slice(0, 400)}`);
    }
  }
  return measure(async (state) => {
    await Promise.all(conns.map((conn, at) => askOn(conn, scenario, scenario.tpl(sessions[at]), state)));
    for (const { sock } of conns) sock.destroy();
  });
}

function askOn(conn, scenario, tpl, state) {
  return new Promise((resolve) => {
    const next = () => {
      const startedAt = performance.now();
      conn.send(tpl(newId()), (status, _head, body) => {
        state.record(startedAt, isRight(scenario, status, body), () => short(status, body));
        if (state.stopping) resolve();
        else next();
      });
    };
    next();
  });
}

/** initialize, initialized, tools/call, and DELETE when there is a session; since 2026-07-28 server/discover and tools/call. */
async function lifecycle() {
  const conns = await connections();
  const live = async (conn, state) => {
    while (!state.stopping) {
      const startedAt = performance.now();
      const fault = await liveOnce(conn).catch(String);
      state.record(startedAt, fault === undefined, () => fault);
      if (fault !== undefined) await sleep(20);
    }
    conn.sock.destroy();
  };
  return measure((state) => Promise.all(conns.map((conn) => live(conn, state))));
}

/** Gives what was wrong. */
async function liveOnce(conn) {
  if (MODERN) {
    const { status, body } = await send(conn, template(undefined, 'server/discover'));
    if (status !== 200 && status !== 404) return `discover: ${short(status, body)}`;
  }
  const session = await openSession(conn);
  const { status, body } = await send(conn, SCENARIOS.call.tpl(session));
  if (session) await send(conn, template(session, '', undefined, { verb: 'DELETE' }));
  return isRight(SCENARIOS.call, status, body) ? undefined : short(status, body);
}

function finish(result, code) {
  console.log(JSON.stringify(result));
  process.exit(code);
}

setTimeout(() => finish({ error: 'timed out' }, 1), config.timeoutMs);
try {
  const { scenario } = config;
  const run = { lifecycle, idle }[scenario] ?? (() => closedLoop(scenario));
  finish(await run(), 0);
} catch (error) {
  finish({ error: String(error?.message ?? error).slice(0, 500) }, 1);
}
