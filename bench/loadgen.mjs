// One scenario against one MCP endpoint; prints one JSON line. Raw sockets and a small HTTP/1.1 reader, so that the generator
// costs less than any server under test (compare `gen_cpu` with `cpu` in the output: the generator saturates at gen_util ≈ 1).
// Usage: node loadgen.mjs '<json config>' — normally started by run.mjs.

import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';

const cfg = JSON.parse(process.argv[2]);
const url = new URL(cfg.url);
const HOST = url.hostname;
const PORT = Number(url.port || 80);
const ERA = cfg.era ?? '2025-11-25';
const MODERN = ERA >= '2026';
const TOOLS = {
  echo: 'echo',
  progress: 'progress',
  backend: 'backend',
  broadcast: 'broadcast',
  gc: 'gc',
  ...cfg.tools,
};
const ACCEPT = 'application/json, text/event-stream';
const MSG = 'hello, world: the quick brown fox';

// ---- /proc ------------------------------------------------------------------------------------------------------------------
function tree(pids) {
  const kids = new Map();
  for (const d of readdirSync('/proc')) {
    if (!/^\d+$/.test(d)) continue;
    try {
      const s = readFileSync(`/proc/${d}/stat`, 'latin1');
      const ppid = Number(s.slice(s.lastIndexOf(')') + 2).split(' ')[1]);
      if (!kids.has(ppid)) kids.set(ppid, []);
      kids.get(ppid).push(Number(d));
    } catch {}
  }
  const out = [];
  const walk = (p) => {
    out.push(p);
    for (const k of kids.get(p) ?? []) walk(k);
  };
  for (const p of pids) walk(p);
  return out;
}
const usesTree = (cfg.pids ?? []).length > 0 && cfg.tree === true;
function cpuSeconds() {
  let t = 0;
  for (const p of usesTree ? tree(cfg.pids) : (cfg.pids ?? [])) {
    try {
      const s = readFileSync(`/proc/${p}/stat`, 'latin1');
      const f = s.slice(s.lastIndexOf(')') + 2).split(' ');
      t += Number(f[11]) + Number(f[12]) + (usesTree ? Number(f[13]) + Number(f[14]) : 0); // utime stime (+ reaped children)
    } catch {}
  }
  return t / 100; // USER_HZ
}
function rssKiB() {
  let t = 0;
  for (const p of usesTree ? tree(cfg.pids) : (cfg.pids ?? [])) {
    try {
      t += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${p}/status`, 'latin1'))[1]);
    } catch {}
  }
  return t;
}

// ---- HTTP ------------------------------------------------------------------------------------------------------------------
class Conn {
  constructor() {
    this.cb = null;
    this.reset();
    this.sock = null;
  }
  reset() {
    this.pending = null;
    this.state = 0; // 0 head, 1 fixed length, 2 chunked
    this.parts = null;
    this.left = 0;
  }
  open() {
    return new Promise((ok, no) => {
      const s = net.connect({ host: HOST, port: PORT, noDelay: true }, () => ok(this));
      this.sock = s;
      s.on('data', (c) => this.data(c));
      s.on('error', (e) => {
        no(e);
        this.gone(e);
      });
      s.on('close', () => this.gone());
    });
  }
  gone(e) {
    if (this.dead) return;
    this.dead = true;
    const cb = this.cb;
    this.cb = null;
    if (cb) cb(0, String(e ?? 'closed'), Buffer.alloc(0));
  }
  send(str, cb) {
    this.cb = cb;
    if (this.dead) {
      this.dead = false;
      this.reset();
      reconnects++;
      this.open().then(
        () => this.sock.write(str, 'latin1'),
        () => {},
      );
    } else this.sock.write(str, 'latin1');
  }
  data(chunk) {
    if (this.pending !== null) {
      chunk = Buffer.concat([this.pending, chunk]);
      this.pending = null;
    }
    let pos = 0;
    for (;;) {
      if (this.state === 0) {
        const e = chunk.indexOf('\r\n\r\n', pos, 'latin1');
        if (e < 0) break;
        this.head = chunk.latin1Slice(pos, e);
        this.status = +this.head.slice(9, 12);
        pos = e + 4;
        const low = (this.lhead = this.head.toLowerCase());
        this.parts = [];
        const cl = low.indexOf('\r\ncontent-length:');
        if (low.indexOf('\r\ntransfer-encoding: chunked') >= 0) this.state = 2;
        else {
          this.left = cl >= 0 ? parseInt(low.slice(cl + 17, cl + 30), 10) : 0;
          this.state = 1;
          if (this.left === 0) {
            this.done();
            continue;
          }
        }
        if (this.onhead) this.onhead(this.status, this.lhead);
      }
      if (this.state === 1) {
        const n = Math.min(this.left, chunk.length - pos);
        if (n > 0) {
          this.parts.push(chunk.subarray(pos, pos + n));
          pos += n;
          this.left -= n;
        }
        if (this.left > 0) break;
        this.done();
        if (pos >= chunk.length) break;
        continue;
      }
      if (this.state === 2) {
        const e = chunk.indexOf(10, pos);
        if (e < 0) break;
        const size = parseInt(chunk.latin1Slice(pos, e), 16);
        if (chunk.length < e + 1 + size + 2) break;
        if (size === 0) {
          pos = e + 3;
          this.done();
          if (pos >= chunk.length) break;
          continue;
        }
        const piece = chunk.subarray(e + 1, e + 1 + size);
        if (this.onpiece) this.onpiece(piece);
        else this.parts.push(piece);
        pos = e + 1 + size + 2;
      }
    }
    if (pos < chunk.length) this.pending = pos === 0 ? chunk : chunk.subarray(pos);
  }
  done() {
    const body = this.parts.length === 1 ? this.parts[0] : this.parts.length === 0 ? EMPTY : Buffer.concat(this.parts);
    this.state = 0;
    this.parts = null;
    if (this.lhead.indexOf('\r\nconnection: close') >= 0) this.sock.destroy();
    const cb = this.cb;
    this.cb = null;
    if (cb) cb(this.status, this.lhead, body);
  }
}
const EMPTY = Buffer.alloc(0);
let reconnects = 0;

// ---- requests --------------------------------------------------------------------------------------------------------------
const extra = Object.entries(cfg.headers ?? {})
  .map(([k, v]) => `${k}: ${v}\r\n`)
  .join('');
const META = MODERN
  ? {
      'io.modelcontextprotocol/protocolVersion': ERA,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
  : undefined;
const IDMARK = 7777777777;

/** A template: (id) => the request's bytes. The id has a fixed width, so the length is fixed too. */
function template(session, method, params, { notify = false, verb = 'POST', init = false, version } = {}) {
  let headers = `${verb} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: ${verb === 'GET' ? 'text/event-stream' : ACCEPT}\r\n${extra}`;
  if (session) headers += `Mcp-Session-Id: ${session}\r\n`;
  if (!init) headers += `MCP-Protocol-Version: ${version ?? ERA}\r\n`;
  if (MODERN && verb === 'POST') {
    headers += `Mcp-Method: ${method}\r\n`;
    if (params?.name && method === 'tools/call') headers += `Mcp-Name: ${params.name}\r\n`;
    params = { ...params, _meta: { ...META, ...params?._meta } };
  }
  if (verb !== 'POST') return () => `${headers}\r\n`;
  const m = { jsonrpc: '2.0', ...(notify ? {} : { id: IDMARK }), method, ...(params ? { params } : {}) };
  const body = JSON.stringify(m); // ASCII only
  const full = `${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  if (notify) return () => full;
  const parts = full.split(String(IDMARK));
  const many = parts.length > 2;
  return many ? (id) => parts.join(id) : (id) => parts[0] + id + parts[1];
}
let nextId = 1000000000;
const send = (conn, tpl) =>
  new Promise((ok) => conn.send(tpl(nextId++), (status, head, body) => ok({ status, head, body })));

const INIT = () =>
  template(
    undefined,
    'initialize',
    { protocolVersion: ERA, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
    { init: true },
  );
const sid = (head) => /\r\nmcp-session-id: ([^\r]+)/.exec(head)?.[1];
// lower-casing the head would break a mixed-case session id: take it from the raw head
const rawSid = (conn) => /\r\nmcp-session-id: ([^\r]+)/i.exec(conn.head)?.[1];

async function openSession(conn) {
  if (MODERN) return undefined;
  const r = await send(conn, INIT());
  if (r.status !== 200) throw new Error(`initialize: ${r.status} ${r.body.toString().slice(0, 300)}`);
  const session = sid(r.head) === undefined ? undefined : rawSid(conn);
  const n = await send(conn, template(session, 'notifications/initialized', undefined, { notify: true }));
  if (n.status !== 202 && n.status !== 200) throw new Error(`initialized: ${n.status}`);
  return session;
}

const call = (session, name, args, meta) =>
  template(session, 'tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) });

// A check of every response, cheap enough to run at full rate; the first response of each connection is parsed in full.
function jsonOf(head, body) {
  const t = body.toString();
  if (head.indexOf('text/event-stream') < 0) return [JSON.parse(t)];
  return t
    .split('\n')
    .filter((l) => l.startsWith('data:') && l.length > 6)
    .map((l) => JSON.parse(l.slice(5)));
}
const big = 'x'.repeat(cfg.payload ?? 65536);
const SC = {
  call: {
    tpl: (s) => call(s, TOOLS.echo, { msg: MSG }),
    marker: MSG,
    full: (ms) => ms.at(-1).result.content[0].text === MSG,
  },
  payload: {
    tpl: (s) => call(s, TOOLS.echo, { msg: big }),
    min: big.length,
    full: (ms) => ms.at(-1).result.content[0].text === big,
  },
  list: {
    tpl: (s) => template(s, 'tools/list'),
    marker: '"inputSchema"',
    full: (ms) => ms.at(-1).result.tools.length >= (cfg.minTools ?? 21),
  },
  backend: {
    tpl: (s) => call(s, TOOLS.backend, { msg: MSG }),
    marker: MSG,
    full: (ms) => ms.at(-1).result.content[0].text === MSG,
  },
  progress: {
    tpl: (s) => call(s, TOOLS.progress, { n: cfg.n ?? 10 }, { progressToken: IDMARK }),
    marker: '"done"',
    count: cfg.n ?? 10,
    full: (ms) => ms.filter((m) => m.method === 'notifications/progress').length >= (cfg.n ?? 10),
  },
};

SC.shared = SC.call; // every connection in one session

function countOf(buf, s) {
  let n = 0;
  for (let i = buf.indexOf(s); i >= 0; i = buf.indexOf(s, i + s.length)) n++;
  return n;
}
function check(sc, status, body) {
  if (status !== 200) return false;
  if (sc.min !== undefined) return body.length >= sc.min;
  if (sc.count !== undefined && countOf(body, 'notifications/progress') < sc.count) return false;
  return body.includes(sc.marker, 0, 'latin1');
}

// ---- measuring -------------------------------------------------------------------------------------------------------------
const pct = (a, p) => (a.length === 0 ? null : a[Math.min(a.length - 1, Math.floor((a.length * p) / 100))]);
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

async function loop(start) {
  const lat = [];
  let errors = 0;
  let firstError;
  const st = { measuring: false, stopping: false };
  st.record = (t0, ok, why) => {
    if (!ok) {
      errors++;
      firstError ??= why();
    }
    if (st.measuring) lat.push(performance.now() - t0);
  };
  const running = start(st);
  // Warm until the server has spent warmCpu CPU-seconds on this very scenario (V8 drops compiled code from idle processes), then
  // measure until it has spent durCpu more; both bounded in wall time, for a contended machine or an unknown pid.
  const spend = async (cpu, ms) => {
    const known = (cfg.pids ?? []).length > 0;
    const end = performance.now() + (known ? ms * 3 : ms);
    const from = cpuSeconds();
    do await sleep(50);
    while (performance.now() < end && (!known || cpuSeconds() - from < cpu));
  };
  await spend(cfg.warmCpu ?? 1, cfg.warmMs ?? 1500);
  const c0 = cpuSeconds();
  const s0 = process.cpuUsage();
  const t0 = performance.now();
  st.measuring = true;
  if (cfg.rate) await sleep(cfg.durMs ?? 3000);
  else await spend(cfg.durCpu ?? 1, cfg.durMs ?? 1500);
  st.measuring = false;
  const t1 = performance.now();
  const c1 = cpuSeconds();
  const s1 = process.cpuUsage(s0);
  st.stopping = true;
  await Promise.race([running, sleep(5000)]);
  lat.sort((a, b) => a - b);
  const ops = lat.length;
  const secs = (t1 - t0) / 1000;
  return {
    ops,
    secs,
    rps: ops / secs,
    p50: pct(lat, 50),
    p99: pct(lat, 99),
    cpu: c1 - c0,
    cpu_per_1k: ops ? ((c1 - c0) * 1000) / ops : null,
    srv_util: (c1 - c0) / secs,
    gen_util: (s1.user + s1.system) / 1e6 / secs,
    rss_mib: rssKiB() / 1024,
    errors,
    firstError,
    reconnects,
  };
}

async function closedLoop(scName) {
  const sc = SC[scName];
  const conns = await Promise.all(Array.from({ length: cfg.c }, () => new Conn().open()));
  const sessions = scName === 'shared' ? conns.map(() => undefined) : await Promise.all(conns.map(openSession));
  if (scName === 'shared') sessions.fill(await openSession(conns[0]));
  // one full check first
  for (let i = 0; i < Math.min(4, cfg.c); i++) {
    const r = await send(conns[i], sc.tpl(sessions[i]));
    let ok = r.status === 200;
    try {
      ok = ok && sc.full(jsonOf(r.head, r.body)) === true;
    } catch {
      ok = false;
    }
    if (!ok) throw new Error(`check of ${scName}: ${r.status} ${r.body.toString().slice(0, 400)}`);
  }
  return loop((st) => {
    if (cfg.rate) return openLoop(st, sc, conns, sessions);
    return Promise.all(
      conns.map(
        (conn, i) =>
          new Promise((ok) => {
            const tpl = sc.tpl(sessions[i]);
            const next = () => {
              const t0 = performance.now();
              conn.send(tpl(nextId++), (status, _h, body) => {
                st.record(t0, check(sc, status, body), () => `${status} ${body.toString().slice(0, 200)}`);
                if (st.stopping) return ok();
                next();
              });
            };
            next();
          }),
      ),
    ).then(() => conns.forEach((c) => void c.sock.destroy()));
  });
}

/** A fixed rate: requests are due on a clock and wait in a queue when every connection is busy; latency counts from when they were due. */
function openLoop(st, sc, conns, sessions) {
  const idle = conns.map((conn, i) => ({ conn, tpl: sc.tpl(sessions[i]) }));
  const queue = [];
  const fire = (slot, due) =>
    slot.conn.send(slot.tpl(nextId++), (status, _h, body) => {
      st.record(due, check(sc, status, body), () => `${status} ${body.toString().slice(0, 200)}`);
      if (queue.length) fire(slot, queue.shift());
      else idle.push(slot);
    });
  const step = 1000 / cfg.rate;
  let due = performance.now();
  return new Promise((ok) => {
    const tick = () => {
      const now = performance.now();
      while (due <= now) {
        const slot = idle.pop();
        if (slot) fire(slot, due);
        else queue.push(due);
        due += step;
      }
      if (st.stopping) {
        conns.forEach((c) => void c.sock.destroy());
        return ok();
      }
      setTimeout(tick, 0.5);
    };
    tick();
  });
}

/** 2025: initialize, initialized, tools/call, DELETE when there is a session. 2026: server/discover, tools/call. */
async function lifecycle() {
  const conns = await Promise.all(Array.from({ length: cfg.c }, () => new Conn().open()));
  const sc = SC.call;
  return loop((st) =>
    Promise.all(
      conns.map(async (conn) => {
        while (!st.stopping) {
          const t0 = performance.now();
          let why = '';
          let ok = true;
          try {
            let session;
            if (MODERN) {
              const d = await send(conn, template(undefined, 'server/discover'));
              if (d.status !== 200 && d.status !== 404)
                throw new Error(`discover ${d.status} ${d.body.toString().slice(0, 200)}`);
            } else session = await openSession(conn);
            const r = await send(conn, sc.tpl(session));
            ok = check(sc, r.status, r.body);
            why = `${r.status} ${r.body.toString().slice(0, 200)}`;
            if (session && cfg.del !== false) await send(conn, template(session, '', undefined, { verb: 'DELETE' }));
          } catch (e) {
            ok = false;
            why = String(e);
            await sleep(20);
          }
          st.record(t0, ok, () => why);
        }
        conn.sock.destroy();
      }),
    ),
  );
}

/** N sessions, each with an open stream; RSS for each; then notifications to all of them. */
async function idle() {
  const N = cfg.sessions ?? 2000;
  const par = 32;
  const rss0 = rssKiB();
  const c0 = cpuSeconds();
  const t0 = performance.now();
  const posts = await Promise.all(Array.from({ length: par }, () => new Conn().open()));
  const streams = [];
  let got = 0;
  let waitFor = Infinity;
  let wake;
  const times = [];
  let base = 0;
  let k = 0;
  await Promise.all(
    posts.map(async (post) => {
      while (k < N) {
        k++;
        const session = await openSession(post);
        const s = await new Conn().open();
        await new Promise((ok, no) => {
          let acked = false;
          const ready = () => {
            if (!acked) {
              acked = true;
              ok();
            }
          };
          s.onhead = (status) => {
            if (status !== 200) no(new Error(`stream: ${status}`));
            else if (!MODERN) ready();
          };
          s.onpiece = (piece) => {
            if (MODERN && !acked) return ready();
            if (piece.indexOf('notifications/') >= 0) {
              times.push(performance.now() - base);
              if (++got >= waitFor) wake();
            }
          };
          s.cb = (st, why) => no(new Error(`stream ended: ${st} ${why}`));
          s.sock.write(
            MODERN
              ? template(undefined, 'subscriptions/listen', { notifications: { toolsListChanged: true } })(nextId++)
              : template(session, '', undefined, { verb: 'GET' })(),
            'latin1',
          );
        });
        s.cb = null;
        streams.push(s);
      }
    }),
  );
  const openSecs = (performance.now() - t0) / 1000;
  const openCpu = cpuSeconds() - c0;
  await sleep(cfg.settleMs ?? 4000);
  const rss1 = rssKiB();
  const ctl = await new Conn().open();
  const ctlSession = await openSession(ctl);
  let rssGc = null;
  if (TOOLS.gc) {
    const g = await send(ctl, call(ctlSession, TOOLS.gc, {}));
    if (g.body.includes('collected')) {
      await sleep(500);
      rssGc = rssKiB();
    }
  }
  // cost of standing still
  const i0 = cpuSeconds();
  await sleep(2000);
  const idleCpu = (cpuSeconds() - i0) / 2;
  const rounds = [];
  if (TOOLS.broadcast || cfg.broadcastBy) {
    for (let i = 0; i < (cfg.broadcasts ?? 5); i++) {
      got = 0;
      times.length = 0;
      waitFor = N;
      const b0 = cpuSeconds();
      base = performance.now();
      const all = new Promise((r) => (wake = r));
      if (cfg.broadcastBy) {
        // Not waited for: the answer may come after the last event.
        void fetch(cfg.broadcastBy.url, cfg.broadcastBy.init);
      } else await send(ctl, call(ctlSession, TOOLS.broadcast, {}));
      await Promise.race([all, sleep(10000)]);
      const ms = performance.now() - base;
      await sleep(100);
      times.sort((a, b) => a - b);
      rounds.push({ got, ms, p50: pct(times, 50), p99: pct(times, 99), cpu: cpuSeconds() - b0 });
    }
  }
  const med = (f) => rounds.map(f).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
  const out = {
    sessions: streams.length,
    openSecs,
    openPerSec: N / openSecs,
    openCpuPer1k: (openCpu * 1000) / N,
    rss0_mib: rss0 / 1024,
    rss1_mib: rss1 / 1024,
    kibPerSession: (rss1 - rss0) / N,
    kibPerSessionGc: rssGc === null ? null : (rssGc - rss0) / N,
    idleCpu,
    broadcast: rounds.length
      ? {
          got: med((r) => r.got),
          ms: med((r) => r.ms),
          p50: med((r) => r.p50),
          p99: med((r) => r.p99),
          cpu_per_1k: (med((r) => r.cpu) * 1000) / N,
        }
      : null,
    dead: streams.filter((s) => s.dead).length,
  };
  for (const s of streams) s.sock.destroy();
  return out;
}

const guard = setTimeout(() => {
  console.log(JSON.stringify({ error: 'timed out' }));
  process.exit(1);
}, cfg.timeoutMs ?? 30000);
try {
  const name = cfg.scenario;
  const out = name === 'lifecycle' ? await lifecycle() : name === 'idle' ? await idle() : await closedLoop(name);
  clearTimeout(guard);
  console.log(JSON.stringify(out));
  process.exit(0);
} catch (e) {
  console.log(JSON.stringify({ error: String(e?.message ?? e).slice(0, 500) }));
  process.exit(1);
}
