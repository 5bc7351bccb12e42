import type { PointedMessage } from '@gantry/contracts';
import type { RunnerChecker, RunnerToCheck, RunnerVerdict } from '../../servers/check/runner-checker.js';
import type { CodeRunner, SourceFault } from './code/index.js';
import type { Compiled, SlotUse } from './compiled.js';
import type { HttpRunner } from './http/index.js';
import { compileMessages, type TemplateRunner } from './template/index.js';

/** Judges what a tenant wants to publish by the very code that will run it. */
export class RunnerChecks implements RunnerChecker {
  constructor(
    private readonly template: TemplateRunner,
    private readonly http: HttpRunner,
    private readonly code: Pick<CodeRunner, 'checkCodeSource'>,
  ) {}

  async check(
    { http, template, code, messages }: RunnerToCheck['runner'],
    inputSchema: RunnerToCheck['inputSchema'],
    egressAllow: readonly string[],
    argumentsAre = 'a property of the input schema',
  ): Promise<RunnerVerdict> {
    const verdict = (compiled: Compiled<unknown>) => verdictOf(compiled, inputSchema, argumentsAre);
    if (http !== undefined) return verdict(this.http.compile(http, inputSchema, egressAllow));
    if (template !== undefined) return verdict(this.template.compile(template));
    if (messages !== undefined) return verdict(compileMessages(messages));
    if (code === undefined) return { faults: [], warnings: [] };
    const fault = await this.code.checkCodeSource(code.source);
    return { faults: fault === undefined ? [] : [{ path: '/source', message: wordsOf(fault) }], warnings: [] };
  }
}

function verdictOf(
  compiled: Compiled<unknown>,
  inputSchema: RunnerToCheck['inputSchema'],
  argumentsAre: string,
): RunnerVerdict {
  if (!compiled.ok) return { faults: compiled.faults, warnings: [] };
  return { faults: [], warnings: [...compiled.warnings, ...undeclared(compiled.uses, inputSchema, argumentsAre)] };
}

function undeclared(
  uses: readonly SlotUse[],
  inputSchema: RunnerToCheck['inputSchema'],
  argumentsAre: string,
): PointedMessage[] {
  const declared = declaredArguments(inputSchema);
  if (declared === undefined) return [];
  return uses
    .filter(({ name }) => !declared.has(name))
    .map(({ path, name }) => ({ path, message: `{${name}} is not ${argumentsAre}` }));
}

/** Names that arguments may have by the input schema; undefined when it does not limit them. */
function declaredArguments(schema: RunnerToCheck['inputSchema']): ReadonlySet<string> | undefined {
  // Behind composition and patterns a name may be declared where this does not look.
  const elsewhere = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties'];
  if (elsewhere.some((keyword) => keyword in schema)) return undefined;
  const { properties } = schema;
  return new Set(typeof properties === 'object' && properties !== null ? Object.keys(properties) : []);
}

function wordsOf({ message, line, column }: SourceFault): string {
  if (line === undefined) return message;
  return `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`;
}
