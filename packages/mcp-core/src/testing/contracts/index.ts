export { type ChangeBusSubject, changeBusContract } from './change-bus-contract.js';
export { type EventLogSubject, eventLogContract } from './event-log-contract.js';
export { jobsContract } from './jobs-contract.js';
export type { JobsSubject } from './jobs-contract-world.js';
export { type NodeBusSubject, nodeBusContract } from './node-bus-contract.js';
export { type SessionStoreSubject, sessionRecord, sessionStoreContract } from './session-store-contract.js';
export { type SessionTurnsSubject, sessionTurnsContract } from './session-turns-contract.js';
export { type StateSealerSubject, stateSealerContract } from './state-sealer-contract.js';
