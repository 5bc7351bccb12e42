import {
  changeBusContract,
  eventLogContract,
  nodeBusContract,
  sessionRecord,
  sessionStoreContract,
  sessionTurnsContract,
  stateSealerContract,
} from '../testing/contracts/index.js';
import { FakeClock } from '../testing/fake-clock.js';
import { InMemoryChangeBus } from './change-bus.js';
import { InMemoryEventLog } from './event-log.js';
import { InMemoryNodeBus } from './node-bus.js';
import { InMemorySessionStore } from './session-store.js';
import { InMemorySessionTurns } from './session-turns.js';
import { InMemoryStateSealer } from './state-sealer.js';

sessionStoreContract('memory', () => {
  const clock = new FakeClock();
  return { store: new InMemorySessionStore(clock), now: () => clock.now(), advance: (ms) => clock.advance(ms) };
});

eventLogContract('memory', () => {
  const clock = new FakeClock();
  return {
    log: new InMemoryEventLog(clock),
    session: () => sessionRecord(clock.now()),
    advance: (ms) => clock.advance(ms),
  };
});

nodeBusContract('memory', () => {
  const bus = new InMemoryNodeBus();
  return { one: bus, two: bus };
});

changeBusContract('memory', () => {
  const bus = new InMemoryChangeBus();
  return { one: bus, two: bus };
});

stateSealerContract('memory', () => {
  const sealer = new InMemoryStateSealer();
  return { one: sealer, two: sealer, stranger: new InMemoryStateSealer() };
});

sessionTurnsContract('memory', () => {
  const clock = new FakeClock();
  const store = new InMemorySessionStore(clock);
  const turns = new InMemorySessionTurns(store, clock);
  return {
    turns,
    elsewhere: turns,
    session: () => {
      const record = sessionRecord(clock.now());
      store.create(record, [{ scope: record.server, max: 10 }]);
      return record;
    },
    end: (session) => void store.delete(session),
    advance: (ms) => clock.advance(ms),
  };
});
