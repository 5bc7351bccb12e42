// Loaded before the official suite (`node --import`): lets it start on Node 20, and has it call our endpoint with a key.
// CONFORMANCE_ORIGIN names the origin that is given CONFORMANCE_AUTHORIZATION; nobody else sees it.
import http from 'node:http';
import { register, syncBuiltinESMExports } from 'node:module';
import { credential, isOurs } from './credential.mjs';

register('./hooks.mjs', import.meta.url);

const plainFetch = globalThis.fetch;
globalThis.fetch = (input, init) => {
  if (!isOurs(input instanceof Request ? input.url : input)) return plainFetch(input, init);
  const request = new Request(input, init);
  if (!request.headers.has('authorization')) request.headers.set('authorization', credential);
  return plainFetch(request);
};

const plainRequest = http.request;
http.request = (...args) => {
  const request = plainRequest(...args);
  const { hostname, host, port } = typeof args[0] === 'string' ? new URL(args[0]) : args[0];
  if (isOurs(`http://${hostname ?? host}:${port}`) && !request.hasHeader('authorization')) {
    request.setHeader('authorization', credential);
  }
  return request;
};
syncBuiltinESMExports();
