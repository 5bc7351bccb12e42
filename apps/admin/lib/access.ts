import type { Me } from '@gantry/contracts';

/** Operators, and automation that shows the admin token, run the platform. The API decides; this mirrors it. */
export const runsPlatform = (me: Pick<Me, 'kind' | 'platformRole'>) =>
  me.platformRole === 'operator' || me.kind === 'automation';

/** Auditors look at nodes without touching them. */
export const maySeeNodes = (me: Pick<Me, 'kind' | 'platformRole'>) => runsPlatform(me) || me.platformRole === 'auditor';
