// Reads as much of a Dockerfile and of .dockerignore as ours say; what it does not know is a fault, never passed over.
import { Stop } from './paths.mjs';

const KNOWN = new Set(['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'CMD']);

/**
 * The stages of a Dockerfile, in order: `{name, base, steps: [{instruction, line, …}]}`. A COPY has `from`, `sources`
 * and `target`, a CMD its `words`, an ENV its `values`; the rest have `text`.
 */
export function parseDockerfile(text) {
  const stages = [];
  for (const { instruction, rest, line } of instructions(text)) {
    if (!KNOWN.has(instruction)) throw new Stop(`Dockerfile, line ${line}: ${instruction} is not known here`);
    if (instruction === 'FROM') {
      const [, base, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      if (base === undefined) throw new Stop(`Dockerfile, line ${line}: expected FROM <image> AS <name>`);
      stages.push({ name: name ?? String(stages.length), base, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Stop(`Dockerfile, line ${line}: ${instruction} before FROM`);
    stage.steps.push({ instruction, line, ...argumentsOf(instruction, rest, line) });
  }
  return stages;
}

function* instructions(text) {
  let whole = '';
  let start = 0;
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    if (whole === '') start = index + 1;
    whole += raw.replace(/\\\s*$/, ' ');
    if (/\\\s*$/.test(raw)) continue;
    const [, instruction, rest] = /^\s*(\S+)\s+([\s\S]*?)\s*$/.exec(whole) ?? [];
    yield { instruction: instruction?.toUpperCase(), rest, line: start };
    whole = '';
  }
}

function argumentsOf(instruction, rest, line) {
  if (instruction === 'CMD') return { words: JSON.parse(rest) };
  if (instruction === 'ENV') {
    const pairs = rest
      .split(/\s+/)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
    return { values: Object.fromEntries(pairs) };
  }
  if (instruction !== 'COPY') return { text: rest };
  const words = rest.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
  if (words.length < 2 || words[0].startsWith('--'))
    throw new Stop(`Dockerfile, line ${line}: expected COPY <from> <to>`);
  return { from, target: words.pop(), sources: words };
}

/** Tells of a path below the context whether .dockerignore keeps it out. The last line that fits decides. */
export function parseDockerignore(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const keeps = line.startsWith('!');
      return { keeps, pattern: patternOf(line.replace(/^!/, '').replace(/^\/|\/$/g, '')) };
    });
  return (path) => rules.reduce((out, { keeps, pattern }) => (pattern.test(path) ? !keeps : out), false);
}

/** A folder that fits takes all below it along. */
function patternOf(glob) {
  const source = glob.replace(/\*\*\/?|[*?]|[.+^$(){}|[\]\\]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return `\\${part}`;
  });
  return new RegExp(`^${source}(?:/.*)?$`);
}
