import { isLogLevel, type ListKind, type LogLevel, type RunContext } from '@gantry/mcp-core';
import type { NoteKind, Notes } from './sandbox/messages.js';

/** Where the notes of a run go. */
export interface NoteTakers {
  readonly context: RunContext;
  readonly onConsole?: (level: LogLevel, line: string) => void;
}

/**
 * Tells a run's context what its code told, in order. False when one of the notes cannot be read: tenant code can bend
 * the library that wrote them.
 */
export function passOn({ notes }: Notes, takers: NoteTakers): boolean {
  try {
    return notes.every(([kind, json]) => note(kind, JSON.parse(json), takers));
  } catch {
    return false;
  }
}

function note(kind: NoteKind, value: unknown, { context, onConsole }: NoteTakers): boolean {
  switch (kind) {
    case 'resourceUpdated':
      if (typeof value !== 'string') return false;
      context.resourceUpdated(value);
      return true;
    case 'listChanged':
      if (isListKind(value)) context.listChanged(value);
      return typeof value === 'string';
    case 'closeStream':
      if (value !== null && !isDelay(value)) return false;
      context.closeStream(value ?? undefined);
      return true;
    default:
      return Array.isArray(value) && message(kind, value, context, onConsole);
  }
}

function message(
  kind: 'progress' | 'log' | 'console',
  [first, second, third]: unknown[],
  context: RunContext,
  onConsole: NoteTakers['onConsole'],
): boolean {
  const text = typeof third === 'string' ? third : undefined;
  if (kind === 'progress') {
    if (typeof first !== 'number') return false;
    context.progress(first, typeof second === 'number' ? second : undefined, text);
    return true;
  }
  if (!isLogLevel(first)) return false;
  if (kind === 'log') context.log(first, second, text);
  else onConsole?.(first, String(second));
  return true;
}

const listKinds: readonly unknown[] = ['tools', 'prompts', 'resources'] satisfies ListKind[];
const isListKind = (value: unknown): value is ListKind => listKinds.includes(value);
const isDelay = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
