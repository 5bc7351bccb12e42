import type { RunnerKind, ToolDocument } from '@gantry/contracts';
import { isObject } from '@/lib/json';

export const kinds = ['http', 'code', 'template'] as const satisfies readonly RunnerKind[];

/** The runner a tool names; exactly one is there once it is stored. */
export function kindOf(tool: ToolDocument): RunnerKind {
  return kinds.find((kind) => tool[kind] !== undefined) ?? 'template';
}

/** A tool to begin with, by kind. */
export function starterTool(kind: RunnerKind): ToolDocument {
  const base = { name: '', description: '', inputSchema: { type: 'object', properties: {} } };
  if (kind === 'http') return { ...base, http: { method: 'GET', url: '' } };
  const withName = {
    type: 'object',
    properties: { name: { type: 'string', description: 'Whom to greet' } },
    required: ['name'],
  };
  if (kind === 'code') return { ...base, inputSchema: withName, code: { source: starterCode } };
  return { ...base, inputSchema: withName, template: { text: 'Hello {name}.' } };
}

const starterCode = `export default async (args, ctx) => {
  for (let step = 1; step <= 3; step += 1) {
    ctx.progress(step, 3, \`step \${step}\`);
    ctx.log('info', { step });
    await ctx.sleep(300);
  }
  return \`Hello \${args.name}.\`;
};
`;

/** Rough size of the definition as a model reads it: four characters a token. */
export function estimateTokens(tool: ToolDocument): number {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return Math.ceil(JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations }).length / 4);
}

/** How many arguments or the tool itself have no description. */
export function missingDescriptions(tool: ToolDocument): number {
  const properties = isObject(tool.inputSchema.properties) ? Object.values(tool.inputSchema.properties) : [];
  const bare = properties.filter(
    (own) => !isObject(own) || typeof own.description !== 'string' || own.description === '',
  );
  return bare.length + (tool.description ? 0 : 1);
}

/** Names in `{name}` placeholders of a template; `{{secret.X}}` is none. Operators of RFC 6570 and modifiers are dropped. */
export function placeholders(template: string): string[] {
  const names = [...template.replace(/\{\{[^}]*\}\}/g, '').matchAll(/\{[+#./;?&]?([^{}]+)\}/g)];
  return [
    ...new Set(names.flatMap((match) => match[1]!.split(',').map((name) => name.replace(/(\*|:\d+)$/, '').trim()))),
  ];
}

/** A tool as it is sent: texts left empty are not there at all. */
export function pruned(tool: ToolDocument): ToolDocument {
  const { title, description, annotations, ...rest } = tool;
  return {
    ...rest,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(annotations && Object.keys(annotations).length > 0 ? { annotations } : {}),
  };
}
