import { beforeAll, describe, expect, it } from 'vitest';
import { type AttackRow, attackTable } from './attack-table.js';
import { useApi } from './harness/api.js';
import { buildWorld, callerKinds, type World } from './support/world.js';

const api = useApi();
let world: World;

beforeAll(async () => {
  world = await buildWorld(api);
});

const parameters: Readonly<Record<string, string>> = {
  tenant: 'acme',
  server: 'orders',
  name: 'greet',
  uri: encodeURIComponent('docs://readme'),
  uriTemplate: encodeURIComponent('docs://{page}/{part}'),
  id: '00000000-0000-7000-8000-000000000000',
};

/** A row's request as one caller sends it. */
async function attack(row: AttackRow, caller: (typeof callerKinds)[number]): Promise<number> {
  const [method = '', pattern = ''] = row.target.split(' ');
  const made = (await row.request?.(world, caller)) ?? {};
  const values: Readonly<Record<string, string>> = pattern.includes('/secrets/')
    ? { ...parameters, name: 'TOKEN' }
    : parameters;
  const url = pattern.replace(/:([a-z]+)/gi, (_all, name: string) => values[name] ?? name);
  const answer = await api.call((made.method ?? method) as 'GET', made.url ?? url, {
    as: made.token === undefined ? world.tokens[caller] : made.token,
    body: made.body,
    headers: { ...made.headers },
    // Wrong keys are counted by address; the table is not about that.
    from: `10.0.${callerKinds.indexOf(caller)}.${attackTable.indexOf(row) % 250}`,
  });
  return answer.statusCode;
}

describe('the attack table', () => {
  it('has a row for every registered route, and no row for a route that is gone', () => {
    const covered = new Set(attackTable.flatMap((row) => row.covers ?? [row.target]));
    const routes = api.app.routes.all().map(({ method, url }) => ({ name: `${method} ${url}`, url }));
    const uncovered = routes.filter(({ name, url }) => !covered.has(name) && !covered.has(url)).map(({ name }) => name);
    expect(uncovered).toEqual([]);
    const names = new Set(routes.map(({ name }) => name));
    const registered = attackTable.filter((row) => /^[A-Z]+ \/\S+$/.test(row.target)).map(({ target }) => target);
    expect(registered.filter((target) => !names.has(target))).toEqual([]);
  });

  it('shows what a job was given to members and keys of its tenant, and not to people above tenants', async () => {
    const id = await world.finishedJob();
    const seen: Record<string, boolean | undefined> = {};
    for (const caller of callerKinds) {
      const answer = await api.get(`/api/v1/tenants/acme/jobs/${id}`, { as: world.tokens[caller] });
      if (answer.statusCode !== 200) continue;
      const { payloads, arguments: given } = answer.json();
      expect([caller, given]).toEqual([caller, payloads === 'shown' ? { who: 'Ada' } : undefined]);
      seen[caller] = payloads === 'shown';
    }
    const shown = Object.fromEntries(Object.keys(seen).map((caller) => [caller, !/operator|auditor/.test(caller)]));
    expect(seen).toEqual(shown);
    expect(seen).toMatchObject({ operator: false, auditor: false, viewer: true, owner: true, readKey: true });
  });

  it.each(attackTable.map((row) => [row.target, row] as const))('%s', async (_target, row) => {
    const got: Record<string, number> = {};
    for (const caller of callerKinds) got[caller] = await attack(row, caller);
    expect(got).toEqual(row.expect);
  });
});
