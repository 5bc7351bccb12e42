import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { citedIn, pagesOf, readChecklists } from './lib/checklists.mjs';
import { ROOT } from './lib/paths.mjs';
import { titlesOf } from './lib/test-titles.mjs';

describe('titlesOf', () => {
  it('finds the names of tests and groups, of tables too, and nothing else', () => {
    const source = `
      // it('no')
      describe('a group', () => {
        it('it\\'s a test', () => { expect(call('no', it)).toBe("no's"); });
        it.each([['a', f('(')], ["b", 2]])('one of a table', () => {});
        it.each<[string, number]>([
          ['c', 1],
        ])(
          \`over \${n} lines\`, async () => {});
        it.skipIf(!redis)("with a condition", () => {});
        it(named, () => {}); commit('no'); const re = /'/;
      });
      test('the last', () => {});`;
    expect(titlesOf(source)).toEqual([
      'a group',
      "it's a test",
      'one of a table',
      `over $\{n} lines`,
      'with a condition',
      'the last',
    ]);
  });
});

describe('citedIn', () => {
  it.each([
    ['drops it (seed P4)', ['seed P4'], []],
    ['takes both (wire B5, B28, RES-02, seed J1)', ['wire B5', 'wire B28', 'RES-02', 'seed J1'], []],
    ['D5 checks params', ['D5'], []],
    ['lists (seed D1, D5)', ['seed D1', 'D5'], []],
    ['seed A1 refuses %s', ['seed A1'], []],
    ['ends (B3)', [], ['B3']],
    ['A4 takes ids', [], ['A4']],
    ['reads UTF-8 of S3 and 2025-11-25 by SHA-256', [], []],
  ])('%s', (title, keys, ambiguous) => {
    expect(citedIn(title)).toEqual({ keys, ambiguous });
  });
});

describe('readChecklists', () => {
  let root;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gantry-checklists-'));
    list('seed-engine', '| A1 | one | |', '| A2 | two | later work |');
    list('dispatcher', '| D1 | ask | |');
    list('wire', '| A1 | another | |');
    list('cases', '| RPC-01 | ids | |', '| DEP-01 | charts | |');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(path, text) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  function list(name, ...rows) {
    write(
      `docs/checklists/${name}.md`,
      `# The ${name}\n\n| id | promise | later |\n|---|---|---|\n${rows.join('\n')}\n`,
    );
  }

  it('names what is due and has no test', () => {
    write('packages/a/src/a.test.ts', `it('x (seed A1)', f); it('D1 y', f);`);
    expect(readChecklists(root).faults).toEqual([
      'docs/checklists/wire.md: no test names A1',
      'docs/checklists/cases.md: no test names RPC-01',
    ]);
  });

  it('names ids that are on no list, and those that could be of two', () => {
    write(
      'apps/a/a.test.tsx',
      `it('x (seed A1, wire A1, RPC-01)', f); it('D1', f); it('y (A1)', f); it('z (wire B9)', f);`,
    );
    expect(readChecklists(root).faults).toEqual([
      'apps/a/a.test.tsx: "y (A1)": of which list is A1? Say "seed A1" or "wire A1"',
      'apps/a/a.test.tsx: "z (wire B9)": wire B9 is on no list',
    ]);
  });

  it('makes pages that lead to the tests, and say what waits for what', () => {
    write('apps/a/[b]/a.test.ts', `it('x (seed A1)', f); it('y (seed A1)', f);`);
    const [page] = pagesOf(readChecklists(root).lists);
    expect(page.path).toBe('docs/conformance.md');
    expect(page.text).toContain('| A1 | one | [a.test.ts](../apps/a/%5Bb%5D/a.test.ts) |');
    expect(page.text).toContain('| A2 | two | later: later work |');
    expect(page.text).toContain('1 with tests, 1 that wait');
  });
});

describe('the lists of this tree', () => {
  it('have a test for everything that is due', () => {
    expect(readChecklists(ROOT).faults).toEqual([]);
  });

  it('are as their pages show them', () => {
    for (const { path, text } of pagesOf(readChecklists(ROOT).lists)) {
      expect(readFileSync(join(ROOT, path), 'utf8') === text, `${path} is stale: run "npm run checklists"`).toBe(true);
    }
  });
});
