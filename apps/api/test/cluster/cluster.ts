import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { steadyPort } from '../../../../scripts/lib/processes.mjs';
import { type RedisServer, startTemporaryRedis } from '../../../../scripts/lib/redis.mjs';
import { createDatabase, databaseUrl, dropDatabase } from '../harness/database.js';
import { type Management, managementOf } from '../harness/management.js';
import { type NodeProcess, READY_MS, STOP_MS, startNode } from '../harness/node-process.js';
import { Backend } from '../wire/backend.js';
import { type Balancer, startBalancer } from './balancer.js';

/** One of the processes that share a database and a Redis. It keeps its address when it is started again. */
export interface ClusterNode {
  readonly port: number;
  /** Base of every URL on this node, no trailing slash. */
  readonly url: string;
  readonly pid: number;
  readonly alive: boolean;
  /** In rotation at the balancer: it runs, and is neither paused nor stopping. */
  readonly inRotation: boolean;
  mcpUrl(tenant: string, server: string): string;
  /** The id that it goes by among the nodes, a new one for each start. */
  id(): Promise<string>;
  output(): string;
  residentBytes(): number;
  /** SIGKILL: everything it held is cut. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its sockets and answers nothing. */
  pause(): void;
  resume(): void;
  /** SIGTERM: it drains. Throws unless it ends by itself with status 0. */
  stop(): Promise<void>;
  /** Starts it again, after `kill` or `stop`, or after killing it. */
  restart(): Promise<void>;
}

/** Nodes, their Postgres and Redis, and a balancer before them. Management goes through the balancer. */
export interface Cluster extends Management {
  readonly nodes: readonly ClusterNode[];
  /** Processes that only take jobs. */
  readonly workers: readonly ClusterNode[];
  /** A node by its place, from 0. */
  node(at: number): ClusterNode;
  readonly redis: RedisServer;
  readonly balancer: Balancer;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly nodes?: number;
  /** With workers, the nodes take no jobs themselves. */
  readonly workers?: number;
  /** `appendOnly`: what Redis has acknowledged outlives its kill. */
  readonly redis?: { readonly appendOnly?: boolean };
  /** host:port or CIDR entries that tools may reach although private. */
  readonly egressAllow?: readonly string[];
  /** More of the environment of each node. */
  readonly env?: Readonly<Record<string, string>>;
  /** Brings an empty database to the schema; without it the nodes get a copy of one that has it. */
  readonly migrate?: (databaseUrl: string) => void | Promise<void>;
  /** Of the balancer's choices; by chance, and printed, unless given. */
  readonly seed?: number;
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { nodes: count = 3, workers: workerCount = 0, egressAllow = [], seed = chanceSeed() } = options;
  const { redis: redisOptions = {} } = options;
  const { migrate } = options;
  const [database, redis] = await Promise.all([
    createDatabase({ migrated: migrate === undefined }),
    startTemporaryRedis(redisOptions),
  ]);
  const nodes: ClusterNode[] = [];
  const workers: ClusterNode[] = [];
  const balancer = await startBalancer(() => nodes, seed);
  const management = managementOf(() => balancer.url);
  const stop = async () => {
    const all = [...nodes, ...workers];
    for (const node of all) node.resume();
    // Their goodbyes need Redis and Postgres.
    await Promise.all(all.map((node) => (node.alive ? node.kill() : undefined)));
    await Promise.all([balancer.stop(), redis.stop()]);
    await dropDatabase(database);
  };
  const env = {
    REDIS_URL: redis.url,
    PUBLIC_URL: balancer.url,
    EGRESS_ALLOW: egressAllow.join(','),
    ...options.env,
  };
  try {
    await migrate?.(databaseUrl(database));
    const start = (role: string) => () =>
      startClusterNode({ databaseUrl: databaseUrl(database), env: { ...env, NODE_ROLE: role } });
    const [served, worked] = await Promise.all([
      Promise.all(Array.from({ length: count }, start(workerCount > 0 ? 'api' : 'all'))),
      Promise.all(Array.from({ length: workerCount }, start('worker'))),
    ]);
    nodes.push(...served);
    workers.push(...worked);
  } catch (error) {
    await stop();
    throw error;
  }
  const node = (at: number) => nodes[at] as ClusterNode;
  return { ...management, nodes, workers, node, redis, balancer, databaseUrl: databaseUrl(database), stop };
}

async function startClusterNode(settings: { databaseUrl: string; env: Record<string, string> }): Promise<ClusterNode> {
  const port = await steadyPort();
  const start = () => startNode({ ...settings, port });
  let running: NodeProcess = await start();
  let paused = false;
  let stopping = false;
  const { url } = running;
  const { admin, mcpUrl } = managementOf(() => url);
  return {
    port,
    url,
    mcpUrl,
    get pid() {
      return running.pid;
    },
    get alive() {
      return running.alive;
    },
    get inRotation() {
      return running.alive && !paused && !stopping;
    },
    async id() {
      const { body } = await admin('GET', '/nodes?limit=100');
      const self = body.items.find(({ answering }: { answering?: boolean }) => answering);
      if (self === undefined) throw new Error(`no node says that it answers: ${JSON.stringify(body)}`);
      return self.id;
    },
    output: () => running.output(),
    residentBytes: () => running.residentBytes(),
    kill: () => running.kill(),
    pause() {
      paused = true;
      running.signal('SIGSTOP');
    },
    resume() {
      paused = false;
      running.signal('SIGCONT');
    },
    stop() {
      stopping = true;
      return running.stop();
    },
    async restart() {
      await running.kill();
      running = await start();
      paused = stopping = false;
    },
  };
}

/** A cluster, a backend its tools may reach, and what a test file needs to ask them. */
export interface ClusterWorld {
  readonly cluster: Cluster;
  readonly backend: Backend;
}

/**
 * Gives the test file that calls it a cluster of its own. Whatever a test killed, paused or stopped runs again before
 * the next one.
 */
export function useCluster(options: ClusterOptions = {}): ClusterWorld {
  const backend = new Backend();
  let started: Cluster | undefined;
  beforeAll(async () => {
    const { host } = await backend.start();
    started = await startCluster({ ...options, egressAllow: [host, ...(options.egressAllow ?? [])] });
  }, READY_MS + 10_000);
  afterEach(() => revive(started), READY_MS + 10_000);
  afterAll(async () => {
    await started?.stop();
    await backend.stop();
  }, STOP_MS + 10_000);
  const cluster = new Proxy({} as Cluster, {
    get(_target, member) {
      if (started === undefined) throw new Error('the cluster is started by beforeAll: use it in a test or a hook');
      return started[member as keyof Cluster];
    },
  });
  return { cluster, backend };
}

async function revive(cluster: Cluster | undefined): Promise<void> {
  if (cluster === undefined) return;
  const { redis } = cluster;
  const nodes = [...cluster.nodes, ...cluster.workers];
  if (!(await takesConnections(redis.port))) await redis.start();
  for (const node of nodes) if (node.alive) node.resume();
  await Promise.all(nodes.map((node) => node.inRotation || node.restart()));
  await Promise.all(nodes.map(isReady));
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Waits until a node says that it is ready for traffic. */
export async function isReady(node: ClusterNode): Promise<void> {
  const end = Date.now() + READY_MS;
  for (;;) {
    const response = await fetch(`${node.url}/readyz`);
    const answer = await response.text();
    if (response.ok) return;
    if (Date.now() > end) throw new Error(`${node.url} is not ready after ${READY_MS} ms: ${answer}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function chanceSeed(): number {
  const seed = Number(process.env.GANTRY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`GANTRY_SEED=${seed} repeats the choices of this balancer`);
  return seed;
}
