import { describe, expect, it } from 'vitest';
import { type Check, faultsOf, type Outcome, scenarioOf } from './gate.js';

const recorded = { total: 2, scenarios: { ping: 1, list: 1 }, skipped: ['list:later'] };
const check = (id: string, status: Check['status']): Check => ({ id, status });

function outcome(scenarios: Record<string, Check[] | undefined>, code = 0): Outcome {
  return { code, output: 'the end', scenarios: new Map(Object.entries(scenarios)) };
}

const ping = [check('answers', 'SUCCESS')];
const list = [check('has', 'SUCCESS'), check('later', 'SKIPPED'), check('note', 'INFO')];

describe('the gate', () => {
  it('lets a run pass that is as recorded, or better', () => {
    expect(faultsOf(outcome({ ping, list }), recorded)).toEqual([]);
    expect(faultsOf(outcome({ ping: [...ping, ...ping], list, more: ping }), recorded)).toEqual([]);
  });

  it.each([
    ['nothing ran', {}, 'nothing ran: the end'],
    ['a scenario is missing', { list, other: ping }, 'ping: did not run'],
    ['a scenario left no list', { ping: undefined, list }, 'ping: no readable checks.json'],
    ['a scenario left an empty list', { ping: [], list }, 'ping: 0 successes, expected 1'],
    ['a check failed', { ping: [...ping, check('bad', 'FAILURE')], list }, 'ping: FAILURE bad: '],
    ['a check warned', { ping: [...ping, check('odd', 'WARNING')], list }, 'ping: WARNING odd: '],
    ['more was skipped', { ping: [...ping, check('x', 'SKIPPED')], list }, 'skipped: [list:later, ping:x], expected'],
    ['less was skipped', { ping, list: list.slice(0, 1) }, 'skipped: [], expected [list:later]'],
  ])('stops a run when %s', (_, scenarios, words) => {
    expect(faultsOf(outcome(scenarios as Record<string, Check[] | undefined>), recorded)).toContainEqual(
      expect.stringContaining(words),
    );
  });

  it('stops a run that ended badly though every check is good', () => {
    expect(faultsOf(outcome({ ping, list }, 1), recorded)).toEqual(['it ended with 1: the end']);
  });

  it('stops a run of which the sum is too small', () => {
    expect(faultsOf(outcome({ ping, list }), { ...recorded, total: 3 })).toEqual(['2 successes in all, expected 3']);
  });

  it.each([
    ['server-ping-2026-01-02T03-04-05-678Z', 'ping'],
    ['server-server-initialize-2026-01-02T03-04-05-678Z', 'server-initialize'],
    ['server-sep-2164-resource-not-found-2026-01-02T03:04:05.678Z', 'sep-2164-resource-not-found'],
  ])('knows the scenario of the folder %s', (folder, scenario) => {
    expect(scenarioOf(folder)).toBe(scenario);
  });
});
