import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { importsOf, linesWith } from './imports.mjs';
import { faultOf, findCycle, isTest, resolveLocal } from './layers.mjs';

const AREAS = ['packages/mcp-core/src', 'packages/contracts/src', 'apps/api/src', 'apps/admin'];
const SKIPPED = /^(node_modules|dist|\.next|generated|\.turbo)$/;
const NO_ENVIRONMENT = 'after config nobody reads the environment';
const ALIAS = { 'apps/admin': /^@\// };

/** Every breach of the import rules below `root`, as `path:line: what is wrong`, and how many files were read. */
export function checkImports(root) {
  const files = AREAS.flatMap((area) => sources(join(root, area))).map((file) => relative(root, file));
  const known = new Set(files);
  const exists = (path) => known.has(path) || (/\.(m?js|json|css|ts)$/.test(path) && existsSync(join(root, path)));
  const faults = [];
  const graph = new Map();
  for (const from of files) {
    const source = readFileSync(join(root, from), 'utf8');
    const edges = [];
    for (const { specifier, clause, typeOnly, line } of importsOf(source)) {
      const local = isLocal(from, specifier);
      const to = local ? resolveLocal(...spelled(from, specifier), exists) : specifier;
      const fault = faultOf(from, to, { local, typeOnly });
      if (fault) faults.push(`${from}:${line}: ${fault} (${specifier})`);
      if (mindsEnvironment(from) && /^(node:)?process$/.test(specifier) && /\benv\b/.test(clause)) {
        faults.push(`${from}:${line}: ${NO_ENVIRONMENT}`);
      }
      // A circle of types is gone when the program runs.
      if (local && !typeOnly && known.has(to)) edges.push(to);
    }
    graph.set(from, edges);
    if (mindsEnvironment(from)) {
      for (const line of linesWith(source, /\bprocess\.env\b/)) faults.push(`${from}:${line}: ${NO_ENVIRONMENT}`);
    }
  }
  const cycle = findCycle(graph);
  if (cycle) faults.push(`${cycle[0]}:1: a circle of imports: ${cycle.join(' → ')}`);
  return { faults, files: files.length };
}

function mindsEnvironment(from) {
  return from.startsWith('apps/api/src/') && !from.startsWith('apps/api/src/config/') && !isTest(from);
}

function isLocal(from, specifier) {
  return (
    specifier.startsWith('.') ||
    Object.entries(ALIAS).some(([area, alias]) => from.startsWith(area) && alias.test(specifier))
  );
}

/** An alias as the relative import it stands for. */
function spelled(from, specifier) {
  for (const [area, alias] of Object.entries(ALIAS)) {
    if (from.startsWith(area) && alias.test(specifier)) return [`${area}/x.ts`, specifier.replace(alias, './')];
  }
  return [from, specifier];
}

function sources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : sources(path);
    return /\.(ts|tsx)$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}
