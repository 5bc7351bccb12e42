import {
  Detached,
  type InputNeeded,
  MCPError,
  type PromptGet,
  type PromptOutcome,
  type PromptRunner,
  type ResourceContents,
  type ResourceOutcome,
  type ResourceRead,
  type ResourceRunner,
  type RunContext,
  RunFailure,
  type ToolCall,
  type ToolOutcome,
  type ToolRunner,
  uriTemplateVariables,
} from '@gantry/mcp-core';
import { schemaOfNames } from '../../servers/check/source-check.js';
import type { Binding, PromptBinding, ResourceBinding, ToolBinding } from '../catalogue/snapshot.js';
import type { CodeRunner, SourceRun } from './code/index.js';
import { WantsToDetach } from './code/index.js';
import type { Compiled, CompileNote } from './compiled.js';
import type { GuestFetch, HttpPlan, HttpRunner } from './http/index.js';
import { compileMessages, compileText, type TemplateRunner, type TextTemplate } from './template/index.js';

/** Makes the protocol error for `throw ctx.error(code, message, data)`. */
export const protocolError = (code: number, message: string, data?: unknown) => new MCPError(code, message, data);

type Answer<Outcome> = Outcome | InputNeeded | Promise<Outcome | InputNeeded>;
type ToolAnswer = ToolOutcome | InputNeeded | Detached;
/** Computing that a job may do; a call that is waited for has far less. */
const JOB_CPU_MS = 60_000;
/** Something made ready to run. */
type Plan<Request, Outcome> = (request: Request, context: RunContext) => Answer<Outcome>;
type ToolPlan = (request: ToolCall, context: RunContext) => ToolAnswer | Promise<ToolAnswer>;
type PromptPlan = Plan<PromptGet, PromptOutcome>;
type ResourcePlan = Plan<ResourceRead, ResourceOutcome>;

export interface RunnerParts {
  readonly template: TemplateRunner;
  readonly http: HttpRunner;
  readonly code: CodeRunner;
  /** For what runs as a job, and may compute for long: sandboxes that no waiting call shares. */
  readonly jobCode: CodeRunner;
  readonly guestFetch: GuestFetch;
}

/**
 * Runs tools, prompts and resources of every kind. What one needs is compiled at its first run and kept on its binding,
 * which lives as long as the snapshot it belongs to.
 */
export class Runners implements ToolRunner, PromptRunner, ResourceRunner {
  constructor(private readonly parts: RunnerParts) {}

  run(call: ToolCall, context: RunContext): ToolAnswer | Promise<ToolAnswer> {
    const binding = call.tool.runner as ToolBinding;
    binding.plan ??= this.toolPlan(binding);
    return (binding.plan as ToolPlan)(call, context);
  }

  get(request: PromptGet, context: RunContext): Answer<PromptOutcome> {
    const binding = request.prompt.runner as PromptBinding;
    binding.plan ??= this.promptPlan(binding);
    return (binding.plan as PromptPlan)(request, context);
  }

  read(request: ResourceRead, context: RunContext): Answer<ResourceOutcome> {
    const binding = request.resource.runner as ResourceBinding;
    binding.plan ??= this.resourcePlan(binding, request.resource.timeoutMs);
    return (binding.plan as ResourcePlan)(request, context);
  }

  private toolPlan(binding: ToolBinding): ToolPlan {
    const { template, http, code, name, inputSchema } = binding.document;
    const cannot = (faults: readonly CompileNote[]): ToolPlan => {
      const text = `Tool "${name}" cannot run: ${wordsOf(faults)}.`;
      return () => ({ content: [{ type: 'text', text }], isError: true });
    };
    if (template !== undefined) {
      return whenCompiled(this.parts.template.compile(template), (plan) => (call) => plan(call.arguments), cannot);
    }
    if (http !== undefined) {
      const compiled = this.parts.http.compile(http, inputSchema, binding.egressAllow);
      return whenCompiled(
        compiled,
        (plan) => (call, context) => this.parts.http.run(plan, call, context, binding),
        cannot,
      );
    }
    if (code === undefined) throw new Error(`tool "${name}" has no runner`);
    return async ({ tool, arguments: args, asJob }, context) => {
      const run = this.codeRun(binding, code.source, args, tool.timeoutMs, context);
      const limits = asJob ? { ...run.limits, cpuMs: JOB_CPU_MS } : run.limits;
      const sandboxes = asJob ? this.parts.jobCode : this.parts.code;
      const outcome = await sandboxes.run({ ...run, limits, toolName: name });
      return outcome instanceof WantsToDetach ? new Detached(outcome.kept) : outcome;
    };
  }

  private promptPlan(binding: PromptBinding): PromptPlan {
    const { name, description, messages, code } = binding.document;
    if (messages !== undefined) {
      const described = description === undefined ? {} : { description };
      return whenCompiled(
        compileMessages(messages),
        (plan) => (request) => ({ ...described, ...plan(request.arguments) }),
        (faults) => failing(`Prompt "${name}" cannot run: ${wordsOf(faults)}.`),
      );
    }
    if (code === undefined) throw new Error(`prompt "${name}" has no source`);
    return ({ prompt, arguments: args }, context) =>
      this.parts.code.runPrompt({
        ...this.codeRun(binding, code.source, args, prompt.timeoutMs, context),
        promptName: name,
      });
  }

  private resourcePlan(binding: ResourceBinding, timeoutMs: number): ResourcePlan {
    const { document } = binding;
    const { mimeType, http, code } = document;
    const cannot = (faults: readonly CompileNote[]) =>
      failing(
        `Resource "${'uri' in document ? document.uri : document.uriTemplate}" cannot be read: ${wordsOf(faults)}.`,
      );
    if (document.text !== undefined || 'blob' in document) return storedPlan(document, cannot);
    if (http !== undefined) {
      const names = 'uri' in document ? [] : uriTemplateVariables(document.uriTemplate);
      const compiled = this.parts.http.compile(http, schemaOfNames(names), binding.egressAllow);
      return whenCompiled<HttpPlan, ResourcePlan>(
        compiled,
        (plan) =>
          ({ uri, variables }, context) =>
            this.parts.http.read(plan, { uri, mimeType, variables, timeoutMs }, context, binding),
        cannot,
      );
    }
    if (code === undefined) throw new Error(`resource "${document.name}" has no source`);
    return ({ uri, variables }, context) =>
      this.parts.code.runResource({
        ...this.codeRun(binding, code.source, variables, timeoutMs, context),
        resource: { uri, mimeType },
      });
  }

  private codeRun(
    binding: Binding<unknown>,
    source: string,
    args: SourceRun['arguments'],
    wallMs: number,
    context: RunContext,
  ): SourceRun {
    return {
      tenantId: binding.tenantId,
      source,
      arguments: args,
      context,
      limits: { wallMs },
      fetch: (request) => this.parts.guestFetch.fetch(binding, request),
      onConsole: (level, line) => context.log(level, line, 'console'),
    };
  }
}

/** Contents that stand in the document: as they are for a resource, with the URI's variables in their slots for a template. */
function storedPlan(
  document: ResourceBinding['document'],
  cannot: (faults: readonly CompileNote[]) => ResourcePlan,
): ResourcePlan {
  const { mimeType } = document;
  const typed = mimeType === undefined ? {} : { mimeType };
  if ('uri' in document) {
    const { uri, text, blob = '' } = document;
    const contents: ResourceContents = text === undefined ? { uri, ...typed, blob } : { uri, ...typed, text };
    const outcome: ResourceOutcome = Object.freeze({ contents: [contents] });
    return () => outcome;
  }
  return whenCompiled<TextTemplate, ResourcePlan>(
    compileText(document.text ?? ''),
    (template) =>
      ({ uri, variables }) => ({ contents: [{ uri, ...typed, text: template.fill(variables) }] }),
    cannot,
  );
}

/** Published documents compile; one whose surroundings changed since (an egress exception withdrawn) says so in words. */
function whenCompiled<T, P>(
  compiled: Compiled<T>,
  plan: (ready: T) => P,
  cannot: (faults: readonly CompileNote[]) => P,
): P {
  return compiled.ok ? plan(compiled.plan) : cannot(compiled.faults);
}

function wordsOf(faults: readonly CompileNote[]): string {
  return faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}

function failing(words: string): () => never {
  return () => {
    throw new RunFailure(words);
  };
}
