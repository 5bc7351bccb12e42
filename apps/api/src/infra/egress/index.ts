export { AllowList, hostCovered } from './allow-list.js';
export { EgressFailure, type EgressFailureKind, EgressRefused } from './errors.js';
export {
  EgressGuard,
  type EgressGuardOptions,
  type EgressRequest,
  type EgressResponse,
  headerText,
} from './guard.js';
export type { BoundedBody } from './read-body.js';
export type { HeaderPair } from './redirects.js';
export type { Lookup, ResolvedAddress } from './resolver.js';
export { checkUrlShape, type EgressRules, type OwnEndpoint } from './rules.js';
