// Programs that tests need and npm does not bring: installed where that is allowed, otherwise named.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Stop } from './paths.mjs';

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** What tests run beside us: the names a program goes by, Debian's package, and the variable that names another one. */
const PROGRAMS = {
  chromium: { names: CHROMIUM, debian: 'chromium', variable: 'CHROMIUM_PATH' },
  redis: { names: ['redis-server', 'valkey-server'], debian: 'redis-server', variable: 'REDIS_SERVER_PATH' },
  nginx: { names: ['nginx'], debian: 'nginx-light', variable: 'NGINX_PATH' },
};

/** Where administrators' programs lie, which not every PATH names. */
const SYSTEM = `${delimiter}/usr/sbin${delimiter}/sbin`;

/**
 * `[variable, path]` of a program: the one that the variable names, one that is installed, or one that apt brings now.
 * @param name `chromium`, `redis` or `nginx`
 */
export function ensureProgram(name, say = console.log) {
  const { names, debian, variable } = PROGRAMS[name];
  const given = process.env[variable]?.trim();
  if (given) return [variable, given];
  const find = () => findProgram(names, `${process.env.PATH ?? ''}${SYSTEM}`);
  let found = find();
  if (!found && process.getuid?.() === 0 && findProgram(['apt-get'])) {
    say(`Installing ${debian} (apt-get) …`);
    installPackage(debian);
    found = find();
  }
  if (found) return [variable, found];
  throw new Stop(`${names[0]} is missing: install it, or set ${variable} to its path`);
}

/** Without starting what it installs: a service of the system's would take a port that is somebody's. */
function installPackage(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, stdio: 'ignore' });
}

/** The first of `names` on PATH; undefined without one. */
export function findProgram(names, path = process.env.PATH ?? '') {
  for (const name of names) {
    for (const folder of path.split(delimiter).filter(Boolean)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}
