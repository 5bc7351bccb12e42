import type { CatalogueSnapshot } from '../ports/catalogue.js';
import type { Jobs } from '../ports/jobs.js';
import { TASKS_EXTENSION } from '../protocol/tasks.js';
import type { Revision } from '../wire/revision.js';

/** What a server may offer beside tools, which it always has. */
export type Capability = 'prompts' | 'resources' | 'completions' | 'tasks';

/** What decides on what is offered; tasks take a host that keeps jobs. */
export interface Offering {
  readonly snapshot: CatalogueSnapshot;
  /** The host's jobs, or whether it keeps any. */
  readonly jobs?: Jobs | boolean | undefined;
}

/** Whether it is offered: its list is there, be it empty; for tasks, that some tool may run as one. */
export function offers({ snapshot, jobs }: Offering, capability: Capability): boolean {
  const { prompts, resources, resourceTemplates, tools } = snapshot;
  const hasResources = resources !== undefined || resourceTemplates !== undefined;
  if (capability === 'prompts') return prompts !== undefined;
  if (capability === 'resources') return hasResources;
  if (capability === 'tasks') return Boolean(jobs) && tools.some(({ task = 'forbidden' }) => task !== 'forbidden');
  return prompts !== undefined || resourceTemplates !== undefined;
}

/** What a hosted server offers, in the shape of ServerCapabilities. It is what the method tables really serve. */
export function serverCapabilities(offering: Offering, revision: Revision): Record<string, unknown> {
  const capabilities: Record<string, unknown> = { tools: { listChanged: true } };
  if (offers(offering, 'prompts')) capabilities.prompts = { listChanged: true };
  if (offers(offering, 'resources')) capabilities.resources = { subscribe: true, listChanged: true };
  if (offers(offering, 'completions') && revision.announcesCompletions) capabilities.completions = {};
  capabilities.logging = {};
  const { tasks } = revision;
  if (tasks !== undefined && offers(offering, 'tasks')) {
    if (tasks.decidedBy === 'client') capabilities.tasks = tasks.capability;
    else capabilities.extensions = { [TASKS_EXTENSION]: tasks.capability };
  }
  return capabilities;
}
