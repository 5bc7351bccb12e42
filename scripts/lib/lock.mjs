// A lock that is a file, owned by a process and lost with it: what a killed process leaves behind is noticed.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isSameProcess, startMark } from './processes.mjs';

/**
 * Takes the lock, waiting up to `waitMs` for its owner to end.
 * @returns `{holder}` with the owner's pid when it is taken; otherwise `{update(notes), release(), left}`, where
 * `left` is what an owner that was killed had noted.
 */
export async function takeLock(file, { waitMs = 0 } = {}) {
  mkdirSync(dirname(file), { recursive: true });
  const end = Date.now() + waitMs;
  let left;
  for (;;) {
    if (create(file)) return lock(file, left);
    const text = read(file);
    const owner = text === undefined ? undefined : parse(text);
    if (owner && isSameProcess(owner.pid, owner.mark)) {
      if (Date.now() >= end) return { holder: owner.pid };
      await delay(100);
    } else if (text !== undefined && remove(file, text)) {
      left = owner?.notes;
    }
  }
}

/** Puts our own file in place; false when there is one. A link appears whole or not at all. */
function create(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content({}), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a dead owner's file, unless another process was quicker and the file is that one's now. */
function remove(file, text) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return false;
  }
  const taken = read(aside);
  const ours = taken === text;
  if (!ours) {
    try {
      linkSync(aside, file);
    } catch {
      // A third process holds the lock by now.
    }
  }
  rmSync(aside, { force: true });
  return ours;
}

function lock(file, left) {
  return {
    left,
    update(notes) {
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, content(notes), { mode: 0o600 });
      renameSync(draft, file);
    },
    release() {
      if (parse(read(file) ?? '')?.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

function content(notes) {
  return JSON.stringify({ pid: process.pid, mark: startMark(process.pid), notes });
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
