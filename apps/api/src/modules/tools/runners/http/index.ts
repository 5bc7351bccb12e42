export { type GuestCaller, GuestFetch, GuestFetchError, type GuestRequest, type GuestResponse } from './guest-fetch.js';
export type { HttpCaller } from './http-caller.js';
export type { HttpPlan } from './http-plan.js';
export {
  type HttpOutcome,
  HttpRunner,
  type HttpRunnerOptions,
  type UpstreamFacts,
} from './http-runner.js';
export { SecretMask, SecretRefused, type SecretSource } from './secrets.js';
