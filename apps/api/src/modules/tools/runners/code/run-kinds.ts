import { type PromptOutcome, type ResourceOutcome, RunFailure, type ToolOutcome } from '@gantry/mcp-core';
import { outcomeOf, toolError } from './outcome.js';
import { promptOutcomeOf } from './prompt-outcome.js';
import { type AskedResource, resourceOutcomeOf } from './resource-outcome.js';
import type { CodeLimits, LimitName, RunEnd } from './sandbox/messages.js';

/** How the end of a run is told: what a tool returns is not what a prompt returns, and they fail differently. */
export interface RunKind<T> {
  /** Begins all words about the run: `Tool "greet"`. */
  readonly subject: string;
  /** Makes the outcome of what the function returned. May throw `RunFailure`. */
  outcomeOf(resultJson: string | undefined): T;
  /** What stands for the outcome when the code failed. May throw `RunFailure` instead. */
  failed(words: string): T;
}

export function toolKind(name: string): RunKind<ToolOutcome> {
  return {
    subject: `Tool "${name}"`,
    outcomeOf: (resultJson) => outcomeOf(name, resultJson),
    failed: toolError,
  };
}

export function promptKind(name: string): RunKind<PromptOutcome> {
  const subject = `Prompt "${name}"`;
  return { subject, outcomeOf: (resultJson) => promptOutcomeOf(subject, resultJson), failed: runFailure };
}

export function resourceKind(asked: AskedResource): RunKind<ResourceOutcome> {
  const subject = `Resource "${asked.uri}"`;
  return { subject, outcomeOf: (resultJson) => resourceOutcomeOf(subject, resultJson, asked), failed: runFailure };
}

function runFailure(words: string): never {
  throw new RunFailure(words);
}

export function limitText(subject: string, limit: LimitName, limits: CodeLimits): string {
  const what: Record<LimitName, string> = {
    cpu: `its CPU time limit of ${limits.cpuMs} ms`,
    memory: `its memory limit of ${limits.memoryBytes} bytes`,
    wall: `its time limit of ${limits.wallMs} ms`,
    output: `its output limit of ${limits.outputBytes} bytes`,
    pendingCalls: `its limit of ${limits.pendingCalls} host calls at one time`,
    messages: `its limit of ${limits.messages} messages or ${limits.messageBytes} bytes of them in one call`,
  };
  return `${subject} was stopped: it reached ${what[limit]}.`;
}

/** The text of an error that tenant code threw, with the tenant's own line where it is known. */
export function thrownText(subject: string, end: Extract<RunEnd, { how: 'threw' }>): string {
  const place = end.line === undefined ? '' : ` (line ${end.line})`;
  return `${subject} failed: ${end.message}${place}`;
}
