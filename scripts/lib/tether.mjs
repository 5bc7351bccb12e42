import { spawn } from 'node:child_process';

// Its input ends when whoever started it is gone; then the group of the process it watches is ended too.
const WATCHER = `
cat >/dev/null
kill -TERM -- "-$1" 2>/dev/null
for i in 1 2 3 4 5 6 7 8; do kill -0 -- "-$1" 2>/dev/null || exit 0; sleep 1; done
kill -KILL -- "-$1"`;

/**
 * Starts a child in a process group of its own, so that a signal to our group reaches it only through us, and ends
 * that group when we are gone, however that came about.
 */
export function spawnTethered(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  if (child.pid === undefined) return child;
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'sh', String(child.pid)], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => undefined);
  child.once('exit', () => {
    watcher.kill('SIGKILL');
    endGroup(child.pid);
  });
  return child;
}

/** Ends what a child has left behind in its group, such as the compiler that a wrapper started. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The usual case: it left nothing.
  }
}
