import { rev20241105 } from './rev-2024-11-05/index.js';
import { rev20250326 } from './rev-2025-03-26/index.js';
import { rev20250618 } from './rev-2025-06-18/index.js';
import { rev20251125 } from './rev-2025-11-25/index.js';
import { rev20260728 } from './rev-2026-07-28/index.js';
import type { Revision } from './revision.js';

/** Every revision served, newest first. */
export const REVISIONS: readonly Revision[] = [rev20260728, rev20251125, rev20250618, rev20250326, rev20241105];

const legacy = new Map(REVISIONS.filter(({ era }) => era === 'session').map((revision) => [revision.name, revision]));
const modern = new Map(REVISIONS.filter(({ era }) => era === 'stateless').map((revision) => [revision.name, revision]));

/** The revision that `initialize` may agree on under that name. */
export function legacyRevision(name: unknown): Revision | undefined {
  return legacy.get(name as string);
}

/** The revision that a request may name for itself. */
export function modernRevision(name: unknown): Revision | undefined {
  return modern.get(name as string);
}

/** The answer to the version a client asks for in `initialize`: the same if served there, else the newest. */
export function negotiate(asked: unknown): Revision {
  return legacy.get(asked as string) ?? rev20251125;
}

/**
 * A revision that something was begun in, whichever era it is of.
 * @throws RangeError for one that is served no more
 */
export function servedRevision(name: string): Revision {
  const revision = modernRevision(name) ?? legacyRevision(name);
  if (revision === undefined) throw new RangeError(`revision ${name} is not served`);
  return revision;
}
