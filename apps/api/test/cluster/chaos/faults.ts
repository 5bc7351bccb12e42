import { type Cluster, isReady } from '../cluster.js';
import type { Ledger } from './ledger.js';
import { type Plan, pause } from './plan.js';

/**
 * Kills nodes, cuts connections and restarts Redis until the run is over; then everything is there again. One node is
 * always up, and a node is started again as soon as it was killed.
 */
export async function causeFaults(cluster: Cluster, plan: Plan, ledger: Ledger, over: AbortSignal): Promise<void> {
  await Promise.all([
    every(plan.killEveryMs, over, async () => {
      if (await killOne('node', cluster.nodes, plan, ledger)) ledger.kills += 1;
    }),
    every(plan.killWorkerEveryMs, over, async () => {
      if (await killOne('worker', cluster.workers, plan, ledger)) ledger.workerKills += 1;
    }),
    every(plan.cutEveryMs, over, () => cutRedis(cluster, plan, ledger)),
    every(plan.restartEveryMs, over, () => restartRedis(cluster, ledger)),
  ]);
  for (const node of [...cluster.nodes, ...cluster.workers]) {
    if (!node.alive) await node.restart();
    await isReady(node);
  }
}

async function every(ms: number, over: AbortSignal, act: () => Promise<void>): Promise<void> {
  for (;;) {
    await pause(ms, over);
    if (over.aborted) return;
    await act();
  }
}

/** Kills one of several, and starts it again. False when it would have been the last. */
async function killOne(what: string, nodes: Cluster['nodes'], { random }: Plan, ledger: Ledger): Promise<boolean> {
  const alive = nodes.filter((node) => node.alive);
  if (alive.length < 2) return false;
  const node = alive[Math.floor(random() * alive.length)] as (typeof alive)[number];
  await node.kill();
  ledger.did(`${what} ${node.port} killed`);
  // A start may meet a Redis that is away just then.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await node.restart();
      ledger.did(`${what} ${node.port} is back`);
      return true;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

/** Every connection of clients, or only those that listen. */
async function cutRedis(cluster: Cluster, { random }: Plan, ledger: Ledger): Promise<void> {
  const type = random() < 0.5 ? 'pubsub' : 'normal';
  const done = await cluster.redis.command(['CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes']).catch(() => undefined);
  if (done === undefined) return;
  ledger.cuts += 1;
  ledger.did(`${type} connections cut`);
}

async function restartRedis(cluster: Cluster, ledger: Ledger): Promise<void> {
  await cluster.redis.kill();
  ledger.did('Redis killed');
  await cluster.redis.start();
  ledger.did('Redis is back');
  ledger.restarts += 1;
}
