import { expect, it } from 'vitest';
import { createMcpEndpoint } from '../create-endpoint.js';
import { InMemorySessionStore } from '../memory/session-store.js';
import { InMemorySessionTurns } from '../memory/session-turns.js';
import type { SessionTurns } from '../ports/session-turns.js';
import { FakeClock } from '../testing/fake-clock.js';
import { fixtureSnapshot, fixtureTools, Gate } from '../testing/fixture-server.js';
import { ScriptedClient } from '../testing/scripted-client.js';

it('stops a run whose turn is lost to another call, and says that its state was not stored', async () => {
  const clock = new FakeClock();
  const store = new InMemorySessionStore(clock);
  const turns = new InMemorySessionTurns(store, clock);
  const losing = new AbortController();
  const sessionTurns: SessionTurns = {
    async take(...asked) {
      const turn = await turns.take(...asked);
      return typeof turn === 'string' ? turn : { state: turn.state, lost: losing.signal, end: () => turn.end() };
    },
  };
  const gate = new Gate();
  const endpoint = createMcpEndpoint({ clock, sessionStore: store, sessionTurns });
  const client = new ScriptedClient(endpoint, { snapshot: fixtureSnapshot(fixtureTools(gate)) });
  await client.open();
  const call = client.call('count_and_block');
  await gate.entered();
  losing.abort();
  const { error } = (await call.finished()).message;
  expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('its turn was lost to another call') });
  expect(gate.signals[0]?.aborted).toBe(true);
});
