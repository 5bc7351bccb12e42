// The lists of what a test must show, and the tests that say in their names which of it they show.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { titlesOf } from './test-titles.mjs';

/** The lists: `prefix` is how test names begin an id of it, where the ids of two lists look alike. */
const LISTS = [
  { name: 'seed-engine', prefix: 'seed', page: 'conformance' },
  { name: 'dispatcher', page: 'conformance' },
  { name: 'wire', prefix: 'wire', page: 'conformance' },
  { name: 'cases', page: 'cases' },
];
/** Rows of the cases that must have a test unless the list says which later work they wait for. */
const OWED_CASES = /^(JOB|RPC|SCH|PAY|NAM|PAG|HTTP|MOD|RES|PRG|CAN|SEC|SSE)-/;

const AREAS = ['packages', 'apps', 'scripts', 'bench'];
const SKIPPED = /^(node_modules|dist|\.next|generated|\.turbo)$/;
const TEST = /\.test\.(ts|tsx|mjs)$|\/testing\/contracts\/[^/]+\.ts$/;
const ROW = /^\|\s*([A-Z]+-?\d+)\s*\|\s*(.*?)\s*\|\s*(.*?)\s*\|$/;
// `seed A1, B2` and `wire C3`: a prefix holds until the next one. A bare D is the dispatcher's.
const ID = /(?:\b(seed|wire) )?(?<![\w/-])([A-Z]\d{1,2}|[A-Z]{3,4}-\d{2})(?![\w-])/g;

/**
 * Every list with its rows, each with the tests that name it, and what is wrong: ids that nobody tests or that are on
 * no list, and ids that could be of two lists.
 */
export function readChecklists(root) {
  const lists = LISTS.map((list) => ({ ...list, ...parse(root, list.name) }));
  const known = new Map(lists.flatMap(({ prefix, rows }) => rows.map((row) => [key(prefix, row.id), row])));
  const faults = [];
  for (const { file, title } of titles(root)) {
    const { keys, ambiguous } = citedIn(title);
    for (const id of ambiguous)
      faults.push(`${file}: "${title}": of which list is ${id}? Say "seed ${id}" or "wire ${id}"`);
    for (const id of keys) {
      const row = known.get(id);
      if (row) row.tests.push({ file, title });
      else faults.push(`${file}: "${title}": ${id} is on no list`);
    }
  }
  for (const { name, rows } of lists) {
    for (const { id, later, tests } of rows) {
      const owed = later === '' && (name !== 'cases' || OWED_CASES.test(id));
      if (owed && tests.length === 0) faults.push(`docs/checklists/${name}.md: no test names ${id}`);
    }
  }
  return { lists, faults };
}

const key = (prefix, id) => (prefix ? `${prefix} ${id}` : id);

/** The ids in a title, as `readChecklists` keys them, and those that need a prefix and have none. */
export function citedIn(title) {
  const keys = [];
  const ambiguous = [];
  let prefix;
  for (const match of title.matchAll(ID)) {
    const [, given, id] = match;
    prefix = given ?? prefix;
    if (id.includes('-') || (id.startsWith('D') && !given)) keys.push(id);
    else if (prefix) keys.push(`${prefix} ${id}`);
    else if (isCitation(title, match.index)) ambiguous.push(id);
  }
  return { keys, ambiguous };
}

/** Whether an id stands where ids are cited: at the beginning, or in parentheses at the end. */
function isCitation(title, index) {
  return index === 0 || /\([^()]*$/.test(title.slice(0, index));
}

function parse(root, name) {
  const text = readFileSync(join(root, 'docs/checklists', `${name}.md`), 'utf8');
  const rows = text.split('\n').flatMap((line) => {
    const [, id, promise, later] = ROW.exec(line) ?? [];
    return id ? [{ id, promise, later, tests: [] }] : [];
  });
  return { title: /^# (.*)$/m.exec(text)[1], rows };
}

function titles(root) {
  return AREAS.flatMap((area) => filesIn(join(root, area)))
    .filter((file) => TEST.test(file))
    .sort()
    .flatMap((file) => titlesOf(readFileSync(file, 'utf8')).map((title) => ({ file: relative(root, file), title })));
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : filesIn(join(folder, entry.name));
    return [join(folder, entry.name)];
  });
}

/** The generated pages: `{path, text}`. */
export function pagesOf(lists) {
  return ['conformance', 'cases'].map((page) => {
    const parts = lists.filter((list) => list.page === page);
    const text = [
      `# ${page === 'cases' ? 'Cases and their tests' : 'Checklists and their tests'}`,
      'Made by `npm run checklists` from `docs/checklists/` and the names of tests; not to be edited by hand.',
      ...parts.flatMap(section),
    ].join('\n\n');
    return { path: `docs/${page}.md`, text: `${text}\n` };
  });
}

function section({ title, rows }) {
  const tested = rows.filter(({ tests }) => tests.length > 0).length;
  const waiting = rows.filter(({ later, tests }) => later !== '' && tests.length === 0).length;
  const lines = rows.map(({ id, promise, later, tests }) => {
    const files = [...new Set(tests.map(({ file }) => file))];
    const shown = files
      .map((file) => `[${file.split('/').at(-1)}](../${file.replace(/[[\]]/g, encodeURIComponent)})`)
      .join(', ');
    return `| ${id} | ${promise} | ${[shown, later && `later: ${later}`].filter(Boolean).join('; ')} |`;
  });
  return [
    `## ${title}`,
    `${rows.length} rows, ${tested} with tests, ${waiting} that wait for later work.`,
    ['| id | promise | tests |', '|---|---|---|', ...lines].join('\n'),
  ];
}
