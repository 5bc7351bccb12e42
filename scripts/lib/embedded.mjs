// What a start without DATABASE_URL keeps in DATA_DIR: the database's folder and the secrets it generates.
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Stop } from './paths.mjs';
import { makeReachable, newReachableFolder, postgresUser } from './postgres-user.mjs';

const ELSEWHERE = ['/var/lib/gantry', '/var/tmp'];

/** Makes DATA_DIR. @throws Stop when it cannot be made or written. */
export function makeDataDir(dataDir) {
  try {
    // Readable to others, so that the OS user of Postgres can pass; what is secret in it is 0600.
    if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    const probe = join(dataDir, `.write-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new Stop(`DATA_DIR: ${dataDir} cannot be written (${error.code}): expected a folder of one's own`);
  }
}

/** The text of a file (0600) in DATA_DIR, made by `generate` when it is not there yet. */
export function keptSecret(dataDir, name, generate) {
  const file = join(dataDir, name);
  try {
    writeFileSync(file, `${generate()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Stop(`${file} cannot be written (${error.code})`);
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text) return text;
  } catch (error) {
    throw new Stop(`${file} cannot be read (${error.code}): it belongs to whoever started before`);
  }
  throw new Stop(`${file} is empty: restore it, or remove it together with what it protects`);
}

export const newToken = () => `gta_${randomBytes(32).toString('base64url')}`;
export const newMasterKey = () => randomBytes(32).toString('base64');

/**
 * The folder of the database: `DATA_DIR/postgres`, or, where the OS user of Postgres cannot go, a folder elsewhere
 * that a link of that name points to.
 */
export function clusterFolder(dataDir, say) {
  const folder = join(dataDir, 'postgres');
  if (isLink(folder)) {
    try {
      return realpathSync(folder);
    } catch {
      throw new Stop(`${folder} points to a folder that is gone: restore it, or remove the link to begin anew`);
    }
  }
  const user = postgresUser(join(folder, 'data'));
  if (makeReachable(user, folder)) return folder;
  if (readdirSync(folder).length > 0) {
    throw new Stop(`the OS user "postgres" cannot reach ${folder}: a folder above ${dirname(folder)} keeps it out`);
  }
  const elsewhere = newReachableFolder(user, 'postgres', ELSEWHERE);
  rmSync(folder, { recursive: true });
  symlinkSync(elsewhere, folder);
  say(`The OS user "postgres" cannot reach ${dataDir}: the database lies in ${elsewhere}.`);
  return elsewhere;
}

function isLink(path) {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
