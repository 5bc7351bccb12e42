import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import { asks, type ChaosClient, charge, jobTicks, saysSessionLost, ticks } from './chaos/client.js';
import { causeFaults } from './chaos/faults.js';
import { allJobsOver, callJobs } from './chaos/job-callers.js';
import { Ledger } from './chaos/ledger.js';
import { openOfficial } from './chaos/official-client.js';
import { pause, planOf } from './chaos/plan.js';
import { openRaw } from './chaos/raw-client.js';
import { useNodes } from './world.js';

/*
 * Sessions of official clients, and of one that judges every event id, while nodes are killed and Redis is cut and
 * restarted. Longer: GANTRY_CHAOS_SECONDS=600, which `npm run chaos` asks for.
 */

const plan = planOf(process.env);
const world = useNodes({ workers: 2, redis: { appendOnly: true }, seed: plan.seed });
const SETTLE_MS = 45_000;

const KINDS = [
  (url: string, key: string, ledger: Ledger) => openOfficial('sdk 1', url, key, ledger),
  (url: string, key: string, ledger: Ledger) => openOfficial('client 2', url, key, ledger),
  openRaw,
];

it(
  `loses, doubles and reorders nothing, and no session, while nodes and Redis come and go (seed ${plan.seed})`,
  async () => {
    const tools = [ticks, jobTicks, asks, charge(world.backend.url, false), charge(world.backend.url, true)];
    await world.cluster.server('acme', 'chaos', { name: 'Chaos', tools });
    const ledger = new Ledger();
    const over = new AbortController();
    // Every client and caller waits for it.
    setMaxListeners(0, over.signal);
    const url = world.cluster.mcpUrl('acme', 'chaos');
    const speaker = new Speaker();
    const living = Array.from({ length: plan.clients }, (_, at) =>
      live(KINDS[at % KINDS.length]!, url, ledger, over.signal, speaker),
    );
    const calling = Array.from({ length: plan.callers }, (_, at) =>
      callJobs(`c${at}`, url, world, ledger, over.signal),
    );
    const saying = speaker.speak(over.signal);
    const faults = causeFaults(world.cluster, plan, ledger, over.signal);
    await pause(plan.seconds * 1_000, new AbortController().signal);
    over.abort();
    await faults;
    await saying;
    await Promise.all([...living, ...calling]);
    await allJobsOver(world, ledger);
    console.log(`\n${ledger.table()}\nGANTRY_SEED=${plan.seed} makes the same choices\n`);
    if (ledger.firstFaults.length > 0) console.log(ledger.deeds.join('\n'));
    expect(ledger.firstFaults).toEqual([]);
    expect(ledger.faults).toEqual({ lost: 0, doubled: 0, reordered: 0, 'session lost': 0, other: 0 });
    expect(ledger.calls.done).toBeGreaterThan(ledger.calls.unknown + ledger.calls.cut);
    expect(ledger.jobs.done).toBeGreaterThan(ledger.jobs.unknown);
    const long = plan.seconds >= 600;
    expect(ledger.kills + ledger.workerKills).toBeGreaterThanOrEqual(long ? 30 : 2);
    expect(ledger.kills).toBeGreaterThanOrEqual(long ? 10 : 1);
    expect(ledger.workerKills).toBeGreaterThanOrEqual(long ? 10 : 1);
    expect(ledger.cuts).toBeGreaterThanOrEqual(long ? 5 : 1);
    expect(ledger.restarts).toBeGreaterThanOrEqual(1);
    if (!long) return;
    expect(ledger.sessions).toBeGreaterThanOrEqual(200);
    expect(ledger.events).toBeGreaterThanOrEqual(50_000);
    expect(ledger.resumed(0.99)).toBeLessThanOrEqual(3_000);
  },
  plan.seconds * 1_000 + 180_000,
);

/** Says numbered messages to every session, each until it was taken. */
class Speaker {
  /** The last number that was taken. */
  number = 0;
  private saying = Promise.resolve();

  async speak(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.more();
      await pause(plan.sayEveryMs, over);
    }
    // After everything has come back: what was said last must arrive too.
    await this.more();
  }

  /** The next message; resolves when it was taken. */
  more(): Promise<void> {
    this.saying = this.saying.then(() => this.say(this.number + 1));
    return this.saying;
  }

  private async say(number: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const taken = await world.say({ number, attempt }, 'chaos').then(
        () => true,
        () => false,
      );
      if (taken) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    this.number = number;
  }
}

/** One client after the other, until the run is over; the last one waits for the last message. */
async function live(
  open: (typeof KINDS)[number],
  url: string,
  ledger: Ledger,
  over: AbortSignal,
  speaker: Speaker,
): Promise<void> {
  do {
    const client = await open(url, world.key, ledger);
    ledger.sessions += 1;
    const until = Date.now() + plan.sessionMs * (0.5 + plan.random());
    try {
      while (!over.aborted && Date.now() < until) {
        await client.call(plan.random() < 0.5 ? 'ticks' : 'job_ticks');
        await pause(100, over);
      }
      await client.probe();
      if (over.aborted) await heardAll(client, speaker, ledger);
    } catch (error) {
      ledger.fault(saysSessionLost(error) ? 'session lost' : 'other', (error as Error).message);
    }
    await client.end();
  } while (!over.aborted);
}

async function heardAll(client: ChaosClient, speaker: Speaker, ledger: Ledger): Promise<void> {
  const end = Date.now() + SETTLE_MS;
  let last = speaker.number;
  while (Date.now() < end) {
    // Nothing is said any more once this stays the same; until then there is more to come.
    if (client.heard >= last && last === speaker.number && client.heard > 0) return;
    last = speaker.number;
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Its stream was opened after the last word: there is nothing that it could have missed, or heard.
    if (!(client.heard > 0)) await speaker.more();
  }
  ledger.fault('lost', `messages after ${client.heard}, of ${speaker.number}`, speaker.number - client.heard);
}
