// npm run admin: the console alone, against API_URL.
import { build, CONSOLE_ENTRY } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { run, Stop } from './lib/paths.mjs';
import { ended, portFault } from './lib/processes.mjs';
import { consoleEnv } from './lib/serve.mjs';
import { spawnTethered } from './lib/tether.mjs';

const GRACE_MS = 3_000;

run(async () => {
  const host = process.env.HOST?.trim() || '127.0.0.1';
  const port = numberOf('ADMIN_PORT', 3000);
  await ensureInstalled();
  await build(['@gantry/admin']);
  const fault = await portFault(port, host);
  if (fault)
    throw new Stop(
      `ADMIN_PORT: port ${port} on ${host} cannot be listened on (${fault}); set ADMIN_PORT to a free one`,
    );
  const env = consoleEnv({ adminPort: port, host, port: numberOf('PORT', 4000) });
  const child = spawnTethered(process.execPath, [CONSOLE_ENTRY], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, async () => {
      child.kill('SIGTERM');
      if (!(await ended(child, GRACE_MS))) child.kill('SIGKILL');
      process.exit(0);
    });
  }
  console.log(`Console on http://${host}:${port}, API at ${env.API_URL}`);
  child.once('exit', (code, signal) => {
    console.error(`gantry: the console ended (${signal ?? `exit code ${code}`})`);
    process.exit(1);
  });
});

function numberOf(name, fallback) {
  const text = process.env[name]?.trim();
  if (!text) return fallback;
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535) {
    throw new Stop(`${name}: expected a whole number from 1 to 65535`);
  }
  return Number(text);
}
