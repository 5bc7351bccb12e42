import { describe, expect, it } from 'vitest';
import type { NodeBus, NodeMessage } from '../../ports/node-bus.js';

export interface NodeBusSubject {
  /** The bus as two nodes see it. */
  readonly one: NodeBus;
  readonly two: NodeBus;
  close?(): Promise<void> | void;
}

const session = { server: 's', owner: 'o', id: 'i' };
const end: NodeMessage = { kind: 'end', session };
const cancel: NodeMessage = { kind: 'cancel', session, request: 'n1', reason: 'no longer needed' };
const answer: NodeMessage = {
  kind: 'answer',
  session,
  response: { jsonrpc: '2.0', id: 'n1.q', result: { roots: [] } },
};
const initialized: NodeMessage = { kind: 'initialized', session };

/** Collects messages and resolves when enough have come. */
function inbox() {
  const heard: NodeMessage[] = [];
  let wake: () => void = () => {};
  const listener = (message: NodeMessage) => {
    heard.push(message);
    wake();
  };
  const until = async (count: number) => {
    while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return heard;
  };
  return { heard, listener, until };
}

/** What every `NodeBus` promises. Nodes are called `n1` and `n2` in it. */
export function nodeBusContract(name: string, make: () => Promise<NodeBusSubject> | NodeBusSubject): void {
  const using = (body: (subject: NodeBusSubject) => Promise<void>) => async () => {
    const subject = await make();
    try {
      await body(subject);
    } finally {
      await subject.close?.();
    }
  };

  describe(`NodeBus contract: ${name}`, () => {
    it(
      'sends to one node, in order and unchanged',
      using(async ({ one, two }) => {
        const here = inbox();
        const there = inbox();
        one.listen('n1', here.listener);
        two.listen('n2', there.listener);
        for (const message of [end, cancel, answer, initialized, end]) one.send('n2', message);
        expect(await there.until(5)).toEqual([end, cancel, answer, initialized, end]);
        expect(here.heard).toEqual([]);
      }),
    );

    it(
      'broadcasts to every node but the sender',
      using(async ({ one, two }) => {
        const here = inbox();
        const there = inbox();
        one.listen('n1', here.listener);
        two.listen('n2', there.listener);
        one.broadcast('n1', cancel);
        two.broadcast('n2', end);
        expect(await there.until(1)).toEqual([cancel]);
        expect(await here.until(1)).toEqual([end]);
      }),
    );

    it(
      'loses what is sent to a node that is gone, without a fault',
      using(async ({ one, two }) => {
        const there = inbox();
        const stop = two.listen('n2', there.listener);
        stop();
        stop();
        one.send('n2', end);
        one.send('nobody', end);
        const again = inbox();
        two.listen('n2', again.listener);
        one.send('n2', cancel);
        // What is under way while nobody listens may come to whoever listens next.
        if ((await again.until(1))[0]?.kind === 'end') await again.until(2);
        expect(again.heard.at(-1)).toEqual(cancel);
        expect(there.heard).toEqual([]);
      }),
    );

    it(
      'keeps nothing for a node that has been told',
      using(async ({ one, two }) => {
        const there = inbox();
        two.listen('n2', there.listener);
        for (const message of [cancel, answer]) one.send('n2', message);
        await there.until(2);
        expect(await two.kept('n2', session)).toEqual([]);
      }),
    );

    it(
      'goes on to the next listener when one throws',
      using(async ({ one, two }) => {
        const there = inbox();
        two.listen('n2', () => {
          throw new Error('a listener of its own mind');
        });
        two.listen('n2', there.listener);
        one.send('n2', end);
        expect(await there.until(1)).toEqual([end]);
      }),
    );
  });
}
