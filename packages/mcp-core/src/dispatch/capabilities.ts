import type { CatalogueSnapshot } from '../ports/catalogue.js';
import { TASKS_EXTENSION } from '../protocol/tasks.js';
import type { Revision } from '../wire/revision.js';

/** What a server may offer beside tools, which it always has. */
export type Capability = 'prompts' | 'resources' | 'completions' | 'tasks';

/** Whether a snapshot offers it: its list is there, be it empty. */
export function offers(snapshot: CatalogueSnapshot, capability: Capability): boolean {
  const { prompts, resources, resourceTemplates, tools } = snapshot;
  const hasResources = resources !== undefined || resourceTemplates !== undefined;
  if (capability === 'prompts') return prompts !== undefined;
  if (capability === 'resources') return hasResources;
  if (capability === 'tasks') return tools.some(({ task = 'forbidden' }) => task !== 'forbidden');
  return prompts !== undefined || resourceTemplates !== undefined;
}

/** What a hosted server offers, in the shape of ServerCapabilities. It is what the method tables really serve. */
export function serverCapabilities(snapshot: CatalogueSnapshot, revision: Revision): Record<string, unknown> {
  const capabilities: Record<string, unknown> = { tools: { listChanged: true } };
  if (offers(snapshot, 'prompts')) capabilities.prompts = { listChanged: true };
  if (offers(snapshot, 'resources')) capabilities.resources = { subscribe: true, listChanged: true };
  if (offers(snapshot, 'completions') && revision.announcesCompletions) capabilities.completions = {};
  capabilities.logging = {};
  const { tasks } = revision;
  if (tasks !== undefined && offers(snapshot, 'tasks')) {
    if (tasks.decidedBy === 'client') capabilities.tasks = tasks.capability;
    else capabilities.extensions = { [TASKS_EXTENSION]: tasks.capability };
  }
  return capabilities;
}
