import {
  type InputNeeded,
  MCPError,
  type RunContext,
  type ToolCall,
  type ToolOutcome,
  type ToolRunner,
} from '@gantry/mcp-core';
import type { ToolBinding } from '../catalogue/snapshot.js';
import type { CodeRunner } from './code/index.js';
import type { Compiled } from './compiled.js';
import type { GuestFetch, HttpRunner } from './http/index.js';
import type { TemplateRunner } from './template/index.js';

/** Makes the protocol error for `throw ctx.error(code, message, data)`. */
export const protocolError = (code: number, message: string, data?: unknown) => new MCPError(code, message, data);

/** A tool made ready to run. */
type Answer = ToolOutcome | InputNeeded;
type Plan = (call: ToolCall, context: RunContext) => Answer | Promise<Answer>;

export interface RunnerParts {
  readonly template: TemplateRunner;
  readonly http: HttpRunner;
  readonly code: CodeRunner;
  readonly guestFetch: GuestFetch;
}

/**
 * Runs tools of every kind. What a tool needs is compiled at its first call and kept on its binding, which lives as
 * long as the snapshot it belongs to.
 */
export class Runners implements ToolRunner {
  constructor(private readonly parts: RunnerParts) {}

  run(call: ToolCall, context: RunContext): Answer | Promise<Answer> {
    const binding = call.tool.runner as ToolBinding;
    binding.plan ??= this.prepare(binding);
    return (binding.plan as Plan)(call, context);
  }

  private prepare(binding: ToolBinding): Plan {
    const { template, http, code } = binding.document;
    if (template !== undefined) {
      return whenCompiled(this.parts.template.compile(template), (plan) => (call) => plan(call.arguments));
    }
    if (http !== undefined) {
      const compiled = this.parts.http.compile(http, binding.document.inputSchema, binding.egressAllow);
      return whenCompiled(compiled, (plan) => (call, context) => this.parts.http.run(plan, call, context, binding));
    }
    if (code !== undefined) return this.codePlan(code.source, binding);
    throw new Error(`tool "${binding.document.name}" has no runner`);
  }

  private codePlan(source: string, binding: ToolBinding): Plan {
    const { code, guestFetch } = this.parts;
    return (call, context) =>
      code.run({
        tenantId: binding.tenantId,
        toolName: call.tool.definition.name,
        source,
        arguments: call.arguments,
        context,
        limits: { wallMs: call.tool.timeoutMs },
        fetch: (request) => guestFetch.fetch(binding, request),
        onConsole: (level, line) => context.log(level, line, 'console'),
      });
  }
}

/** Published documents compile; one whose surroundings changed since (an egress exception withdrawn) says so in words. */
function whenCompiled<T>(compiled: Compiled<T>, plan: (ready: T) => Plan): Plan {
  if (compiled.ok) return plan(compiled.plan);
  const words = compiled.faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return (call) => ({
    content: [{ type: 'text', text: `Tool "${call.tool.definition.name}" cannot run: ${words}.` }],
    isError: true,
  });
}
