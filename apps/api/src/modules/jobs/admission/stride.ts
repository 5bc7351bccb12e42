/** A tenant with jobs that wait. */
export interface Waiting {
  readonly tenantId: string;
  /** Jobs that wait; counting stops at what could be admitted at all. */
  readonly waiting: number;
  /** Jobs admitted and not ended. */
  readonly admitted: number;
  /** Jobs it may have admitted at once. */
  readonly cap: number;
  /** How far it has come in the round of turns; undefined for one that never had a turn. */
  readonly pass: number | undefined;
}

/** How many jobs of a tenant are admitted, and how far that brings it. */
export interface Pick {
  readonly tenantId: string;
  readonly count: number;
  readonly pass: number;
}

/**
 * Shares free slots among tenants by stride scheduling with equal strides: each turn goes to who has come the least far,
 * and brings it one further. Who was away does not save up turns: it begins where the others are.
 */
export function share(tenants: readonly Waiting[], free: number): Pick[] {
  const open = tenants
    .filter(({ waiting, admitted, cap }) => waiting > 0 && admitted < cap)
    .map(({ tenantId, waiting, admitted, cap, pass }) => ({
      tenantId,
      pass,
      left: Math.min(waiting, cap - admitted),
      count: 0,
    }));
  const known = open.flatMap(({ pass }) => (pass === undefined ? [] : [pass]));
  const highest = Math.max(0, ...tenants.flatMap(({ pass }) => (pass === undefined ? [] : [pass])));
  const start = known.length === 0 ? highest : Math.max(...known) - 1;
  const racers = open.map((racer) => ({ ...racer, pass: Math.max(racer.pass ?? start, start) }));
  for (let slot = 0; slot < free; slot++) {
    const next = racers.reduce<(typeof racers)[number] | undefined>(
      (best, racer) => (racer.left > 0 && (best === undefined || racer.pass < best.pass) ? racer : best),
      undefined,
    );
    if (next === undefined) break;
    next.left--;
    next.count++;
    next.pass++;
  }
  return racers.filter(({ count }) => count > 0).map(({ tenantId, count, pass }) => ({ tenantId, count, pass }));
}
