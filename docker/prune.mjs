// Takes out of node_modules what the workspace named does not need to run. npm keeps every optional peer that the lock
// file knows: with Prisma's client that is its command line, a studio and a TypeScript, three times what we ship.
//   node docker/prune.mjs apps/api
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const needed = new Set();

/** Adds a package and all that it asks for, each found as Node finds it. */
function need(folder) {
  const real = realpathSync(folder);
  if (needed.has(real)) return;
  needed.add(real);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = manifest(real);
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    follow(real, name, name in (optionalDependencies ?? {}));
  for (const name of peers) follow(real, name, true);
}

function follow(from, name, mayBeMissing) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(found)) return need(found);
    if (folder === dirname(folder)) break;
  }
  // Of optional ones npm installs those for this machine.
  if (!mayBeMissing) throw new Error(`${from} needs ${name}, which is not installed`);
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Removes what is not needed from a node_modules, and from those nested in what stays. */
function prune(modules) {
  for (const entry of readdirSync(modules)) {
    const path = join(modules, entry);
    if (entry.startsWith('.')) rmSync(path, { recursive: true });
    else if (entry.startsWith('@')) prune(path);
    else if (!needed.has(realpathSync(path))) rmSync(path, { recursive: true });
    else if (existsSync(join(path, 'node_modules'))) prune(join(path, 'node_modules'));
  }
  if (readdirSync(modules).length === 0) rmSync(modules, { recursive: true });
}

need(process.argv[2]);
prune('node_modules');
