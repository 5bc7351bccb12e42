import type { PromptDocument } from '@gantry/contracts';
import { isObject } from '@/lib/json';
import { placeholders } from '@/lib/tool-document';

export const promptKinds = ['messages', 'code'] as const;
export type PromptKind = (typeof promptKinds)[number];

export function promptKindOf(prompt: PromptDocument): PromptKind {
  return prompt.code === undefined ? 'messages' : 'code';
}

/** A prompt to begin with, by kind. */
export function starterPrompt(kind: PromptKind): PromptDocument {
  const base: PromptDocument = { name: '', arguments: [{ name: 'who', description: 'Whom to greet', required: true }] };
  if (kind === 'code') return { ...base, code: { source: starterCode } };
  return { ...base, messages: [{ role: 'user', content: { type: 'text', text: 'Greet {who}.' } }] };
}

const starterCode = `export default async (args, ctx) => ({
  messages: [{ role: 'user', content: { type: 'text', text: \`Greet \${args.who}.\` } }],
});
`;

/** Slots of the messages that no argument fills, and arguments that no slot uses; a code prompt is not looked into. */
export function promptLint(prompt: PromptDocument): { unknown: string[]; unused: string[] } {
  if (!prompt.messages) return { unknown: [], unused: [] };
  const slots = [...new Set(prompt.messages.flatMap(({ content }) => stringsIn(content).flatMap(placeholders)))];
  const names = (prompt.arguments ?? []).map(({ name }) => name);
  return {
    unknown: slots.filter((slot) => !names.includes(slot)),
    unused: names.filter((name) => !slots.includes(name)),
  };
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** A prompt as it is sent: texts left empty are not there at all. */
export function prunedPrompt({ title, description, ...rest }: PromptDocument): PromptDocument {
  return { ...rest, ...(title ? { title } : {}), ...(description ? { description } : {}) };
}
