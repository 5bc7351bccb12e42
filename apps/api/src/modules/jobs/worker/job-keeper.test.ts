import { FakeClock } from '@gantry/mcp-core/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { JobKeeper } from './job-keeper.js';

const names = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => ({ id: `${word}-${at}`, tenantId: 't' }));
const keepers: JobKeeper[] = [];
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()));
});

/** A keeper that has looked once. */
async function looked(found: { unanswered?: object[]; unheard?: object[]; tell?: (id: string) => Promise<void> }) {
  const clock = new FakeClock();
  const told: string[] = [];
  const cancel = vi.fn(async () => 'cancelled' as const);
  const workers = {
    lost: async () => [],
    unanswered: async () => found.unanswered ?? [],
    callerNodes: async () => [],
    unheard: async () => found.unheard ?? [],
    forget: vi.fn(async () => 0),
  };
  const keeper = new JobKeeper({
    node: 'n',
    workers: workers as never,
    admission: { resume: async () => {}, run: async () => {} } as never,
    service: { cancel },
    lost: {
      tellLate: async ({ id }: { id: string }) => {
        await found.tell?.(id);
        told.push(id);
      },
    } as never,
    registry: { onGone: () => () => {}, isGone: () => false, shared: () => undefined } as never,
    clock,
    log: { warn: () => {} } as never,
  });
  keepers.push(keeper);
  keeper.start();
  clock.advance(0);
  await vi.waitFor(() => expect(workers.forget).toHaveBeenCalled());
  return { told, cancel };
}

describe('a keeper', () => {
  it('tells every caller who was not told, however many of the others cannot be', async () => {
    const unanswered = [...names(25, 'poison'), ...names(5, 'sound')];
    const tell = async (id: string) => {
      if (id.startsWith('poison')) throw new Error('gone');
    };
    expect((await looked({ unanswered, tell })).told.sort()).toEqual(names(5, 'sound').map(({ id }) => id));
  });

  it('ends jobs whose questions nobody answers, and has their callers told', async () => {
    const { cancel } = await looked({ unheard: names(2, 'left') });
    expect(cancel.mock.calls).toEqual(
      names(2, 'left').map(({ id }) => ['t', id, 'Nobody answered what it asked', true]),
    );
  });
});
