import {
  type PointedMessage,
  type ServerDocument,
  serverDocumentSchema,
  type ToolDocument,
  toolDocumentSchema,
} from '@gantry/contracts';
import type { z } from 'zod';
import { faultsOf, unstorableFaults } from '../../common/http/json-faults.js';
import { checkTool, type Deferred, withObjectRoot } from './check/tool-check.js';
import { Findings } from './check/verdict.js';

const MAX_DEPTH = 64;

/** What is known of a document before its schemas are compiled and its runners judged. */
export interface Judgement<T> extends Deferred {
  /** The document, completed and normalised; undefined when its shape has a fault. */
  readonly value: T | undefined;
  readonly faults: readonly PointedMessage[];
  readonly warnings: readonly PointedMessage[];
}

/** Judges a whole server document in one pass. Pure; every fault has a JSON Pointer into what was sent. */
export function judgeDocument(raw: unknown): Judgement<ServerDocument> {
  return judge(raw, serverDocumentSchema, (findings, deferred) => {
    const tools = (raw as { tools?: unknown } | null | undefined)?.tools;
    if (!Array.isArray(tools)) return;
    const first = new Map<unknown, number>();
    for (const [index, tool] of tools.entries()) {
      const path = ['tools', index];
      const name = (tool as { name?: unknown } | null)?.name;
      if (typeof name === 'string') {
        const earlier = first.get(name);
        if (earlier === undefined) first.set(name, index);
        else findings.fault([...path, 'name'], `"${name}" is the name of tool ${earlier} already`);
      }
      checkTool(tool, path, findings, deferred);
    }
  });
}

/** Judges one tool by itself. */
export function judgeTool(raw: unknown): Judgement<ToolDocument> {
  return judge(raw, toolDocumentSchema, (findings, deferred) => checkTool(raw, [], findings, deferred));
}

function judge<T>(
  raw: unknown,
  schema: z.ZodType<T>,
  look: (findings: Findings, deferred: Deferred) => void,
): Judgement<T> {
  const unstorable = unstorableFaults(raw, MAX_DEPTH);
  const deferred: Deferred = { schemas: [], runners: [] };
  // Too deep or unstorable: nothing that walks it should.
  if (unstorable.length > 0) return { value: undefined, faults: unstorable, warnings: [], ...deferred };
  const findings = new Findings();
  const parsed = schema.safeParse(raw);
  look(findings, deferred);
  const shape = parsed.success ? [] : faultsOf(parsed.error);
  return {
    value: parsed.success ? normalise(parsed.data) : undefined,
    faults: [...shape, ...findings.faults],
    warnings: findings.warnings,
    ...deferred,
  };
}

function normalise<T>(value: T): T {
  const { tools } = value as { tools?: ToolDocument[] };
  if (tools !== undefined) return { ...value, tools: tools.map((tool) => normalise(tool)) };
  const { inputSchema } = value as { inputSchema?: Record<string, unknown> };
  return inputSchema === undefined ? value : { ...value, inputSchema: withObjectRoot(inputSchema) };
}
