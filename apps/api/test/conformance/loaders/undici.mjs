// `undici` whose `request` carries the key to the endpoint under test.
import { request as plainRequest } from 'undici';
import { credential, isOurs } from './credential.mjs';

export * from 'undici';

export function request(url, options = {}) {
  if (!isOurs(url)) return plainRequest(url, options);
  return plainRequest(url, { ...options, headers: { authorization: credential, ...options.headers } });
}
