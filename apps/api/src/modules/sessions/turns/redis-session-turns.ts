import type { Clock, NoTurn, SessionKey, SessionTurn, SessionTurns } from '@gantry/mcp-core';
import type { NodeChannel } from '../../../infra/nodes/node-channel.js';
import type { RedisCommands } from '../../../infra/redis/redis-clients.js';
import { nodeChannelName, nodeMessage } from '../../../infra/redis/redis-node-channel.js';
import { sessionKeys, sessionTag } from '../session-keys.js';
import { HeldTurn } from './held-turn.js';
import { END, RENEW, TAKE } from './turn-scripts.js';
import { TurnWait } from './turn-wait.js';

const TOPIC = 'turn';

/** All in milliseconds, by the time of Redis where several nodes must agree. */
export interface TurnTimes {
  /** The turn of a node that is silent for so long is free. */
  readonly leaseMs: number;
  readonly renewMs: number;
  /** How long the next one may take to come for its turn. */
  readonly claimMs: number;
  /** How often one that waits asks by itself: its bell may have got lost. */
  readonly recheckMs: number;
  /** One that has not asked for so long is of a node that died. */
  readonly silentMs: number;
}

export const TURN_TIMES: TurnTimes = {
  leaseMs: 10_000,
  renewMs: 3_000,
  claimMs: 3_000,
  recheckMs: 2_000,
  silentMs: 6_500,
};

/** What nobody has touched for so long is garbage. */
const KEPT_MS = 60_000;

export interface RedisSessionTurnsOptions {
  readonly redis: RedisCommands;
  readonly channel: NodeChannel;
  readonly clock: Clock;
  /** Told when a place in a queue could not be given up; it is free after a time. */
  readonly onFault: (error: unknown) => void;
  readonly times?: TurnTimes;
}

/** Turns over all nodes: a queue of tickets and a lease for each session, in Redis. */
export class RedisSessionTurns implements SessionTurns {
  private readonly times: TurnTimes;
  private readonly waits = new Map<string, TurnWait>();
  private readonly stops: readonly (() => void)[];
  private tickets = 0;

  constructor(private readonly options: RedisSessionTurnsOptions) {
    const { channel, times = TURN_TIMES } = options;
    this.times = times;
    this.stops = [
      channel.on(TOPIC, (ticket) => this.waits.get(ticket)?.ring()),
      channel.onGap(() => {
        for (const wait of this.waits.values()) wait.ring();
      }),
    ];
  }

  async take(key: SessionKey, signal: AbortSignal, limitMs: number): Promise<SessionTurn | NoTurn> {
    if (signal.aborted) return 'aborted';
    const { channel, clock, onFault } = this.options;
    const ticket = `${channel.nodeId}:${++this.tickets}`;
    const wait = new TurnWait(clock, signal, limitMs);
    this.waits.set(ticket, wait);
    let settled = false;
    try {
      for (let again = false; ; again = true) {
        const asked = clock.now();
        const [outcome, state = ''] = await this.ask(key, ticket, again);
        // A turn that came too late for the caller is given back as a place in the queue is.
        settled = outcome === 'ended' || (outcome === 'turn' && !signal.aborted);
        if (outcome === 'ended') return outcome;
        if (settled) return this.held(key, ticket, state, asked);
        const woken = await wait.next(this.times.recheckMs);
        if (woken !== 'rung') return woken;
      }
    } finally {
      this.waits.delete(ticket);
      wait.close();
      if (!settled) this.end(key, ticket).catch(onFault);
    }
  }

  /** Hears no more bells. Turns that are held stay so. */
  close(): void {
    for (const stop of this.stops) stop();
  }

  private async ask(key: SessionKey, ticket: string, again: boolean) {
    const { redis, clock } = this.options;
    const args = [ticket, clock.now(), this.times.leaseMs, KEPT_MS, again ? '1' : '0', ...this.passing()];
    return (await TAKE.run(redis, this.keys(key), args)) as ['ended' | 'wait' | 'turn', string?];
  }

  /** @param asked when the turn was asked for: it is held for a lease from then on at least */
  private held(key: SessionKey, ticket: string, state: string, asked: number): SessionTurn {
    const { redis, clock } = this.options;
    const { leaseMs } = this.times;
    const store = {
      renew: async () => (await RENEW.run(redis, this.keys(key), [ticket, leaseMs, KEPT_MS, ...this.passing()])) === 1,
      end: (left: string | undefined) => this.end(key, ticket, left),
    };
    return new HeldTurn(state, store, clock, this.times, asked + leaseMs);
  }

  private async end(key: SessionKey, ticket: string, state?: string): Promise<boolean> {
    const { redis, clock } = this.options;
    const args = [ticket, clock.now(), ...this.passing(), ...(state === undefined ? [] : [state])];
    return (await END.run(redis, this.keys(key), args)) === 1;
  }

  private keys(key: SessionKey): string[] {
    const { session, turn, queue, waiting, state } = sessionKeys(sessionTag(key));
    return [session, turn, queue, waiting, state];
  }

  private passing(): (string | number)[] {
    const { claimMs, silentMs } = this.times;
    return [claimMs, silentMs, nodeChannelName(''), nodeMessage(TOPIC, this.options.channel.nodeId, '')];
  }
}
