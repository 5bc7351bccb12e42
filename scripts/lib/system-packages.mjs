// Programs that tests need and npm does not bring: installed where that is allowed, otherwise named.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Stop } from './paths.mjs';

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Path of a Chromium: `CHROMIUM_PATH`, one that is installed, or one that apt brings now. */
export function ensureChromium(say = console.log) {
  const given = process.env.CHROMIUM_PATH?.trim();
  if (given) return given;
  const found = findProgram(CHROMIUM);
  if (found) return found;
  if (process.getuid?.() === 0 && findProgram(['apt-get'])) {
    say('Installing chromium (apt-get) …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, stdio: 'ignore' });
    const installed = findProgram(CHROMIUM);
    if (installed) return installed;
  }
  throw new Stop('chromium is missing: install it, or set CHROMIUM_PATH to a Chromium or Chrome');
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
