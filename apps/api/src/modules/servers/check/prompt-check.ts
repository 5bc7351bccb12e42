import { promptMessageSchema, promptSources } from '@gantry/contracts';
import { z } from 'zod';
import { isObject } from '../../../common/json.js';
import { type Deferred, deferRunner } from './deferred.js';
import { faultDuplicates, namedSources, schemaOfNames, warnUndescribed } from './source-check.js';
import type { Findings } from './verdict.js';

const messagesSchema = z.array(promptMessageSchema);

/** Judges one prompt beyond its shape, on the raw value, as `checkTool` does. */
export function checkPrompt(prompt: unknown, path: PropertyKey[], findings: Findings, deferred: Deferred): void {
  if (!isObject(prompt)) return;
  namedSources(prompt, promptSources, 'source', path, findings);
  warnUndescribed(prompt, path, findings, 'people choose prompts');
  const declared = Array.isArray(prompt.arguments) ? prompt.arguments : [];
  faultDuplicates(
    declared,
    'name',
    [...path, 'arguments'],
    findings,
    (name, earlier) => `"${name}" is the name of argument ${earlier} already`,
  );
  const names = declared.map((argument) => (isObject(argument) ? argument.name : undefined));
  const inputSchema = schemaOfNames(names.filter((name) => typeof name === 'string'));
  const argumentsAre = 'an argument of this prompt';
  const messages = messagesSchema.safeParse(prompt.messages);
  if (messages.success) deferred.runners.push({ path, runner: { messages: messages.data }, inputSchema, argumentsAre });
  deferRunner('code', prompt.code, { path: [...path, 'code'], inputSchema }, deferred);
}
