import { afterAll, beforeAll } from 'vitest';
import { type GantryProcess, type ProcessOptions, useGantry } from '../harness/process.js';
import { Backend } from './backend.js';
import { everyKind } from './documents.js';

/** A process, a backend its tools may reach, and tenant `acme` with the server `kinds` and a key. */
export interface World {
  readonly gantry: GantryProcess;
  readonly backend: Backend;
  readonly url: string;
  readonly key: string;
}

export function useWorld({ settings = {}, env = {} }: { settings?: object; env?: ProcessOptions['env'] } = {}): World {
  const backend = new Backend();
  const gantry = useGantry(async () => ({ egressAllow: [(await backend.start()).host], env }));
  const world = { gantry, backend, url: '', key: '' };
  beforeAll(async () => {
    await gantry.tenant('acme');
    await gantry.server('acme', 'kinds', everyKind(backend.url, settings));
    world.url = gantry.mcpUrl('acme', 'kinds');
    world.key = (await gantry.key('acme')).key;
  });
  afterAll(() => backend.stop());
  return world;
}
