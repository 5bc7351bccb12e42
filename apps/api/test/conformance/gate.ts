/** One entry of a `checks.json`. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly description?: string;
  readonly errorMessage?: string;
  readonly details?: unknown;
}

/** What one run of the suite left behind. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  /** Checks by scenario; undefined where a scenario left no readable list. */
  readonly scenarios: ReadonlyMap<string, readonly Check[] | undefined>;
}

/** What a run must come to: successes of each scenario, and the checks that are skipped, as `scenario:check`. */
export interface Recorded {
  readonly total: number;
  readonly scenarios: Readonly<Record<string, number>>;
  readonly skipped: readonly string[];
}

/** Successes, failures, warnings and skips. */
export interface Counts {
  readonly S: number;
  readonly F: number;
  readonly W: number;
  readonly K: number;
}

/** The scenario that a folder of results is of: `server-<scenario>-<time>`. */
export function scenarioOf(folder: string): string {
  return folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d.:-]+Z?$/, '');
}

export function countsOf(checks: readonly Check[]): Counts {
  const of = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  return { S: of('SUCCESS'), F: of('FAILURE'), W: of('WARNING'), K: of('SKIPPED') };
}

/**
 * Everything that keeps a run from passing, in words; empty when it passes. The suite's own exit status is not enough:
 * it is 0 for an empty selection, and warnings and missing scenarios do not change it.
 */
export function faultsOf({ code, output, scenarios }: Outcome, recorded: Recorded): string[] {
  const faults: string[] = [];
  const skipped: string[] = [];
  let total = 0;
  for (const [scenario, checks] of scenarios) {
    if (checks === undefined) {
      faults.push(`${scenario}: no readable checks.json`);
      continue;
    }
    for (const check of checks) {
      if (check.status === 'FAILURE' || check.status === 'WARNING') faults.push(inWords(scenario, check));
      if (check.status === 'SKIPPED') skipped.push(`${scenario}:${check.id}`);
    }
    total += countsOf(checks).S;
  }
  for (const [scenario, expected] of Object.entries(recorded.scenarios)) {
    const checks = scenarios.get(scenario);
    if (!scenarios.has(scenario)) faults.push(`${scenario}: did not run`);
    else if (checks !== undefined && countsOf(checks).S < expected) {
      faults.push(`${scenario}: ${countsOf(checks).S} successes, expected ${expected}`);
    }
  }
  if (skipped.sort().join() !== [...recorded.skipped].sort().join()) {
    faults.push(`skipped: [${skipped.join(', ')}], expected [${recorded.skipped.join(', ')}]`);
  }
  if (total < recorded.total) faults.push(`${total} successes in all, expected ${recorded.total}`);
  if (scenarios.size === 0) faults.push(`nothing ran: ${output.slice(-2_000)}`);
  if (code !== 0 && faults.length === 0) faults.push(`it ended with ${code}: ${output.slice(-2_000)}`);
  return faults;
}

function inWords(scenario: string, { id, status, description, errorMessage, details }: Check): string {
  const more = details === undefined ? '' : ` ${JSON.stringify(details).slice(0, 500)}`;
  return `${scenario}: ${status} ${id}: ${errorMessage ?? description ?? ''}${more}`;
}
