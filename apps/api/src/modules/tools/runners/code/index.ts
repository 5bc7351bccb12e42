export type { CodeRun, ProtocolErrorFactory } from './code-call.js';
export type { CodeFetch, CodeFetchRequest, CodeFetchResponse } from './code-fetch.js';
export { CodeRunner } from './code-runner.js';
export { type CodeRunnerOptions, type CodeRunnerStats, codeLimitDefaults } from './code-runner-options.js';
export type { CodeLimits, LimitName, SourceFault } from './sandbox/messages.js';
