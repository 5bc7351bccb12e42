import { codeRunnerSchema, httpRunnerSchema, templateRunnerSchema } from '@gantry/contracts';
import { isObject } from '../../../common/json.js';
import type { RunnerToCheck } from './runner-checker.js';

/** A JSON Schema still to be compiled, with its place. */
export interface SchemaToCheck {
  readonly path: readonly PropertyKey[];
  readonly schema: unknown;
  readonly role: 'input' | 'output';
}

/** What takes time or somebody else's knowledge, and is judged after the rest. */
export interface Deferred {
  readonly schemas: SchemaToCheck[];
  readonly runners: RunnerToCheck[];
}

const runnerSchemas = { http: httpRunnerSchema, code: codeRunnerSchema, template: templateRunnerSchema } as const;

/** A runner of sound shape is handed on to whoever runs that kind; the fault of an unsound one is known already. */
export function deferRunner(
  kind: keyof typeof runnerSchemas,
  spec: unknown,
  about: Pick<RunnerToCheck, 'path' | 'inputSchema' | 'argumentsAre'>,
  deferred: Deferred,
): void {
  if (!isObject(spec)) return;
  const parsed = runnerSchemas[kind].safeParse(spec);
  if (parsed.success) deferred.runners.push({ ...about, runner: { [kind]: parsed.data } });
}
