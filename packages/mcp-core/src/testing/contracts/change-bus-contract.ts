import { describe, expect, it } from 'vitest';
import type { ChangeBus, ServerChange } from '../../ports/change-bus.js';

export interface ChangeBusSubject {
  /** The bus as two nodes see it. */
  readonly one: ChangeBus;
  readonly two: ChangeBus;
  close?(): Promise<void> | void;
}

const tools: ServerChange = { kind: 'list', list: 'tools' };
const message: ServerChange = { kind: 'message', level: 'error', logger: 'backend', data: { down: ['a', 1, null] } };
const resource: ServerChange = { kind: 'resource', uri: 'docs://readme' };
const task: ServerChange = { kind: 'task', id: 'job-1' };

function inbox() {
  const heard: ServerChange[] = [];
  let wake: () => void = () => {};
  const listener = (change: ServerChange) => {
    heard.push(change);
    wake();
  };
  const until = async (count: number) => {
    while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return heard;
  };
  return { heard, listener, until };
}

/** What every `ChangeBus` promises. */
export function changeBusContract(name: string, make: () => Promise<ChangeBusSubject> | ChangeBusSubject): void {
  const using = (body: (subject: ChangeBusSubject) => Promise<void>) => async () => {
    const subject = await make();
    try {
      await body(subject);
    } finally {
      await subject.close?.();
    }
  };

  describe(`ChangeBus contract: ${name}`, () => {
    it(
      'tells every subscriber of the server, on every node, in order',
      using(async ({ one, two }) => {
        const here = inbox();
        const there = inbox();
        one.subscribe('a', here.listener);
        two.subscribe('a', there.listener);
        one.publish('a', tools);
        one.publish('a', resource);
        one.publish('a', task);
        one.publish('a', message);
        expect(await here.until(4)).toEqual([tools, resource, task, message]);
        expect(await there.until(4)).toEqual([tools, resource, task, message]);
      }),
    );

    it(
      'tells nobody of another server',
      using(async ({ one, two }) => {
        const other = inbox();
        const there = inbox();
        two.subscribe('b', other.listener);
        two.subscribe('a', there.listener);
        one.publish('a', tools);
        await there.until(1);
        expect(other.heard).toEqual([]);
      }),
    );

    it(
      'tells nothing after the subscription has ended, which may be said twice',
      using(async ({ one, two }) => {
        const gone = inbox();
        const there = inbox();
        const stop = two.subscribe('a', gone.listener);
        two.subscribe('a', there.listener);
        stop();
        stop();
        one.publish('a', tools);
        await there.until(1);
        expect(gone.heard).toEqual([]);
      }),
    );

    it(
      'goes on to the next subscriber when one throws',
      using(async ({ one, two }) => {
        const there = inbox();
        two.subscribe('a', () => {
          throw new Error('a listener of its own mind');
        });
        two.subscribe('a', there.listener);
        one.publish('a', tools);
        expect(await there.until(1)).toEqual([tools]);
      }),
    );
  });
}
