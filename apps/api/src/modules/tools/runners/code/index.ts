export type { ProtocolErrorFactory, SourceRun } from './code-call.js';
export type { CodeFetch, CodeFetchRequest, CodeFetchResponse } from './code-fetch.js';
export { type CodeRun, CodeRunner, type PromptCodeRun, type ResourceCodeRun } from './code-runner.js';
export { type CodeRunnerOptions, type CodeRunnerStats, codeLimitDefaults } from './code-runner-options.js';
export { WantsToDetach } from './input-needed.js';
export type { AskedResource } from './resource-outcome.js';
export type { CodeLimits, LimitName, SourceFault } from './sandbox/messages.js';
