// Who may import whom: the arrows of the house, none of which goes back.
import { dirname, join, normalize, relative } from 'node:path';

/** Rooms of mcp-core with what each may import besides itself; `testing` sees all, nobody sees `testing`. */
const CORE = {
  jsonrpc: [],
  protocol: ['jsonrpc'],
  wire: ['jsonrpc', 'protocol'],
  ports: ['jsonrpc', 'protocol'],
  dispatch: ['jsonrpc', 'protocol', 'wire', 'ports'],
  jobs: ['jsonrpc', 'protocol', 'wire', 'ports', 'dispatch'],
  sessions: ['jsonrpc', 'protocol', 'wire', 'ports', 'dispatch', 'jobs'],
  subscriptions: ['jsonrpc', 'protocol', 'wire', 'ports', 'dispatch', 'jobs'],
  transports: ['jsonrpc', 'protocol', 'wire', 'ports', 'dispatch', 'jobs', 'sessions', 'subscriptions'],
  memory: ['protocol', 'ports'],
  peers: [
    'jsonrpc',
    'protocol',
    'wire',
    'ports',
    'dispatch',
    'jobs',
    'sessions',
    'subscriptions',
    'transports',
    'memory',
  ],
};

/** Ports that know nothing of MCP and import nothing of ours: open to every room. */
const LEAF_PORT = /^packages\/mcp-core\/src\/ports\/(clock|id-generator|logger|meter)\.ts$/;

/** Floors of the API, each importing only from those before it. */
const API = ['config', 'common', 'infra', 'modules', 'gateway', 'main'];

/** Modules by rank: a module imports only those of a lower rank, and its own. */
const MODULES = [
  ['audit'],
  ['nodes'],
  ['jobs'],
  ['tenants'],
  ['members'],
  ['keys', 'secrets'],
  ['servers'],
  ['tools'],
  ['sessions'],
  ['usage', 'calls'],
  ['oauth'],
  ['live'],
];

/** Floors of the console. */
const ADMIN = { app: ['app', 'components', 'data', 'lib'], components: ['lib'], data: ['lib'], lib: [] };

const OFFICIAL_MCP = /^@modelcontextprotocol\//;
/** The one screen that is a client, and speaks as clients in the field do. */
const PLAYGROUND = /^apps\/admin\/app\/.*\/playground\//;
const DATABASE = /^(pg|pg-.*|@prisma\/.*|.*\/prisma\/generated\/.*)$/;

/** Whether a file is there for tests only. */
export const isTest = (path) => /\.test\.tsx?$|\.test\.mjs$|\/(test|testing|e2e)\//.test(path);

/**
 * What is wrong with one import, in words, or undefined.
 * @param from path of the importing file from the root, with `/`
 * @param to what it imports: a path from the root for a file of ours, else the package's specifier
 */
export function faultOf(from, to, { local, typeOnly = false }) {
  if (isTest(from)) return undefined;
  const [area, name] = from.split('/');
  if (area === 'packages' && name === 'mcp-core') return coreFault(from, to, local);
  if (area === 'packages' && name === 'contracts') return contractsFault(to, local);
  if (area === 'apps' && name === 'api') return apiFault(from, to, local, typeOnly);
  if (area === 'apps' && name === 'admin') return adminFault(from, to, local);
  return undefined;
}

function coreFault(from, to, local) {
  if (!local) {
    if (OFFICIAL_MCP.test(to)) return 'product code imports no official MCP package';
    if (/^@gantry\//.test(to)) return 'mcp-core imports nothing else of ours';
    if (/^(@nestjs\/|fastify$|@fastify\/|ioredis$|bullmq$)/.test(to) || DATABASE.test(to)) {
      return 'mcp-core knows no framework and no database';
    }
    return undefined;
  }
  if (!to.startsWith('packages/mcp-core/')) return 'mcp-core imports nothing else of ours';
  const [source, target] = [roomOf(from, 'packages/mcp-core/src'), roomOf(to, 'packages/mcp-core/src')];
  if (LEAF_PORT.test(from)) return 'a port that is open to every room imports nothing';
  if (LEAF_PORT.test(to)) return undefined;
  if (target === 'testing') return 'nothing sees testing';
  if (source === undefined || target === source) return undefined;
  const allowed = CORE[source];
  if (!allowed) return `there is no rule for the folder ${source}`;
  return target !== undefined && allowed.includes(target)
    ? undefined
    : `${source} may not import ${target ?? 'the index'}`;
}

function contractsFault(to, local) {
  if (local) return to.startsWith('packages/contracts/') ? undefined : 'contracts imports nothing else of ours';
  return to === 'zod' ? undefined : 'contracts knows zod and nothing else';
}

function apiFault(from, to, local, typeOnly) {
  if (!local) {
    if (OFFICIAL_MCP.test(to)) return 'product code imports no official MCP package';
    // Wiring names the type of what it hands on.
    const hands = typeOnly && from.endsWith('.module.ts');
    if (DATABASE.test(to) && !knowsDatabase(from) && !hands) return 'only infra and repositories know Prisma and pg';
    return undefined;
  }
  if (!to.startsWith('apps/api/src/'))
    return 'the API imports contracts and mcp-core by their packages, nothing else of ours';
  if (DATABASE.test(to) && !knowsDatabase(from)) return 'only infra and repositories know Prisma and pg';
  const [source, target] = [floorOf(from), floorOf(to)];
  if (API.indexOf(target) > API.indexOf(source)) return `${source} may not import ${target}`;
  return source === 'modules' && target === 'modules' ? moduleFault(from, to, typeOnly) : undefined;
}

function moduleFault(from, to, typeOnly) {
  const [source, target] = [from.split('/')[4], to.split('/')[4]];
  if (source === target) return undefined;
  const [low, high] = [rankOf(target), rankOf(source)];
  // Health asks everybody and the demo uses everybody; nobody needs them.
  if (low === undefined) return `no module may import ${target}`;
  if (high !== undefined && low >= high) return `${source} may not import ${target}: modules import to the left only`;
  if (/\.repository\.(ts|js)$/.test(to) && !typeOnly)
    return `${target} is reached by its service, not by its repository`;
  return undefined;
}

function adminFault(from, to, local) {
  if (!local) {
    if (/^@gantry\/(?!contracts)/.test(to)) return 'of our packages the console knows contracts only';
    if (OFFICIAL_MCP.test(to) && !PLAYGROUND.test(from)) return 'of the console only the playground imports a client';
    return undefined;
  }
  if (!to.startsWith('apps/admin/')) return 'the console imports nothing outside of itself but contracts';
  const [source, target] = [roomOf(from, 'apps/admin'), roomOf(to, 'apps/admin')];
  const allowed = ADMIN[source];
  if (!allowed || source === target || !(target in ADMIN)) return undefined;
  return allowed.includes(target) ? undefined : `${source} may not import ${target}`;
}

function floorOf(path) {
  const room = roomOf(path, 'apps/api/src');
  return API.includes(room) ? room : 'main';
}

const knowsDatabase = (path) =>
  path.startsWith('apps/api/src/infra/') || /\.repository\.ts$/.test(path) || floorOf(path) === 'main';

function rankOf(name) {
  const rank = MODULES.findIndex((names) => names.includes(name));
  return rank < 0 ? undefined : rank;
}

/** The first folder below `base`; undefined for a file that lies in it directly. */
function roomOf(path, base) {
  const parts = relative(base, path).split('/');
  return parts.length > 1 ? parts[0] : undefined;
}

/** The path from the root that a relative import means, with the ending that its file has. */
export function resolveLocal(from, specifier, exists) {
  const base = normalize(join(dirname(from), specifier));
  const stem = base.replace(/\.(m?)jsx?$/, '');
  const candidates = [
    base,
    `${stem}.ts`,
    `${stem}.tsx`,
    `${stem}.mjs`,
    `${base}.ts`,
    `${base}.tsx`,
    `${base}/index.ts`,
  ];
  return candidates.find(exists) ?? base;
}

/** The first circle of imports among files, as the list of its paths; undefined when there is none. */
export function findCycle(graph) {
  const state = new Map();
  const trail = [];
  const visit = (node) => {
    if (state.get(node) === 'done') return undefined;
    if (state.get(node) === 'open') return [...trail.slice(trail.indexOf(node)), node];
    state.set(node, 'open');
    trail.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    trail.pop();
    state.set(node, 'done');
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}
