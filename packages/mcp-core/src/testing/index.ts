export * from './contracts/index.js';
export { FakeClock } from './fake-clock.js';
export * from './fixture-server.js';
export type { Json } from './json.js';
export * from './recording-responder.js';
export * from './scripted-client.js';
