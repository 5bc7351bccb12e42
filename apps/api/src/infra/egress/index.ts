export { AllowList, hostCovered } from './allow-list.js';
export { type EgressResponse, headerText } from './answer.js';
export { EgressFailure, type EgressFailureKind, EgressRefused } from './errors.js';
export { EgressGuard, type EgressGuardOptions, type EgressRequest } from './guard.js';
export type { BoundedBody } from './read-body.js';
export type { HeaderPair } from './redirects.js';
export type { Lookup, ResolvedAddress } from './resolver.js';
export { checkUrlShape, type EgressRules, type OwnEndpoint } from './rules.js';
