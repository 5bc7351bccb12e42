export * from './contracts/index.js';
export { FakeClock } from './fake-clock.js';
export * from './fixture-server.js';
export type { Json } from './json.js';
export { type ServedEndpoint, serveOverHttp } from './node-http.js';
export * from './recording-responder.js';
export * from './scripted-client.js';
