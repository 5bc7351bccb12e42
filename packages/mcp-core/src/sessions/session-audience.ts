import { changeNotification } from '../dispatch/change-notification.js';
import type { ServerSettings } from '../ports/catalogue.js';
import type { ServerChange } from '../ports/change-bus.js';
import { openIn } from '../ports/event-log.js';
import { isAgreed, type SessionRecord } from '../ports/session-store.js';
import { passesLevel } from '../protocol/log-levels.js';
import { encodeJson } from '../protocol/well-formed.js';
import type { SessionPorts } from './session-ports.js';

/** How many sessions are read, or told of a change, at a time. */
const PAGE = 500;

/** The living sessions of all nodes, as those who have something to tell them see them. */
export class SessionAudience {
  constructor(private readonly ports: Pick<SessionPorts, 'sessionStore' | 'eventLog' | 'logger'>) {}

  /** Every living session of a scope, a page at a time. */
  async *pages(scope: string): AsyncGenerator<readonly SessionRecord[]> {
    let after: string | undefined;
    do {
      const { items, next } = await this.ports.sessionStore.list(scope, PAGE, after);
      yield items;
      after = next;
    } while (after !== undefined);
  }

  /**
   * Tells living sessions of a change on their standalone streams, attached or not: all of them, or those it concerns.
   * Gives how many could not be told.
   */
  async publish(server: string, change: ServerChange, settings: ServerSettings): Promise<number> {
    if (change.kind === 'task') return 0;
    const json = encodeJson(changeNotification(change));
    if (change.kind === 'resource') {
      return this.#tellAll(await this.ports.sessionStore.subscribers(server, change.uri), json, settings);
    }
    let untold = 0;
    for await (const records of this.pages(server)) {
      const concerned = records.filter(
        (record) => isAgreed(record) && (change.kind !== 'message' || passesLevel(change.level, record.logLevel)),
      );
      untold += await this.#tellAll(concerned, json, settings);
    }
    return untold;
  }

  async #tellAll(records: readonly SessionRecord[], json: string, settings: ServerSettings): Promise<number> {
    const { eventLog, logger } = this.ports;
    let untold = 0;
    for (let start = 0; start < records.length; start += PAGE) {
      const waiting: Promise<unknown>[] = [];
      for (const record of records.slice(start, start + PAGE)) {
        const stream = record.standaloneStream;
        const opened = openIn(eventLog, record, stream, settings);
        const logged = eventLog.append(record, stream, json);
        // A log that answers at once is not waited for: there may be many thousand sessions.
        if (opened instanceof Promise || logged instanceof Promise) waiting.push(Promise.all([opened, logged]));
      }
      for (const outcome of await Promise.allSettled(waiting)) {
        // One session's fault does not keep the others from hearing.
        if (outcome.status === 'fulfilled') continue;
        untold += 1;
        logger.error({ error: String(outcome.reason) }, 'a session was not told');
      }
    }
    return untold;
  }
}
