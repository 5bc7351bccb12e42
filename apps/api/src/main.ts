import pg from 'pg';
import type { AppConfig } from './config/app-config.js';
import { ConfigError, loadConfig } from './config/load-config.js';
import { type App, createApp } from './create-app.js';
import { schemaFault } from './infra/prisma/migrations.js';
import { DemoService } from './modules/demo/demo.service.js';
import { JobsRuntime } from './modules/jobs/jobs-runtime.js';
import { LeaseTakenError } from './modules/nodes/living-holder.js';
import { NodeClaim } from './modules/nodes/node-claim.js';
import { RedisAwayError } from './modules/nodes/redis-node-registry.js';
import { OtherMasterKeyError, SecretsService } from './modules/secrets/secrets.service.js';
import { CodeRunner } from './modules/tools/runners/code/index.js';

/**
 * After the grace of running calls: for the last answers to leave, then for everything to be let go. With the usual
 * grace this is as long as the supervisor waits, so that the whole tree ends within ten seconds.
 */
const LAST_ANSWERS_MS = 1_500;
const LET_GO_MS = 1_000;

/** Why this process does not serve, as one line for whoever started it. */
class StartError extends Error {}

async function start(): Promise<void> {
  const config = loadConfig();
  await requireSchema(config);
  const app = await createApp({ config });
  let stopping = false;
  const stop = (why: string, status: number) => {
    if (stopping) return;
    stopping = true;
    void drain(app, config.shutdownGraceMs, why, status);
  };
  process.once('SIGTERM', () => stop('SIGTERM', 0));
  process.once('SIGINT', () => stop('SIGINT', 0));
  // The supervisor is gone, however it went.
  process.once('disconnect', () => stop('the supervisor is gone', 0));
  try {
    await app.nest.get(NodeClaim).acquire(() => stop('the lease was lost', 1));
    await app.nest.get(SecretsService).requireKey();
    // Sandboxes that are ready before the first call keep that call fast.
    void app.nest.get(CodeRunner).start();
    await app.nest.get(DemoService).ensure();
    await app.fastify.listen({ host: config.host, port: config.port });
    await app.nest.get(JobsRuntime).start();
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
  if (config.adminToken === undefined) {
    app.logger.warn(
      {},
      'there is no GANTRY_ADMIN_TOKEN: nobody can set up the first person, and no automation gets in',
    );
  }
  app.logger.info({ host: config.host, port: config.port, version: config.version }, 'listening');
  process.send?.({ type: 'ready' });
}

async function requireSchema({ databaseUrl }: AppConfig): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  let fault: string | undefined;
  try {
    await client.connect();
    fault = await schemaFault(client);
  } catch (error) {
    fault = `DATABASE_URL: the database does not answer: ${lineOf(error)}`;
  } finally {
    await client.end().catch(() => undefined);
  }
  if (fault !== undefined) throw new StartError(fault);
}

/** Not ready first, then no new requests, then the running ones end or are cut, then everything is let go. */
async function drain(app: App, graceMs: number, why: string, status: number): Promise<void> {
  app.logger.info({ why }, 'stopping');
  app.readiness.drain();
  const cutMs = graceMs + LAST_ANSWERS_MS;
  const cut = setTimeout(() => app.fastify.server.closeAllConnections(), cutMs);
  const giveUp = setTimeout(() => process.exit(1), cutMs + LET_GO_MS);
  try {
    app.fastify.server.closeIdleConnections();
    await app.close();
    app.logger.info({}, 'stopped');
    process.exitCode = status;
  } catch (err) {
    app.logger.error({ err }, 'stopping failed');
    process.exitCode = 1;
  } finally {
    clearTimeout(cut);
    clearTimeout(giveUp);
  }
  process.exit();
}

function lineOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] };
  return (message || errors?.map((one) => one.message).join(', ') || code || String(error)).replace(/\s+/g, ' ').trim();
}

start().catch((error: unknown) => {
  const expected =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof LeaseTakenError ||
    error instanceof OtherMasterKeyError ||
    error instanceof RedisAwayError ||
    isListenError(error);
  process.stderr.write(`gantry: ${expected ? lineOf(error) : ((error as Error).stack ?? lineOf(error))}\n`);
  process.exit(1);
});

function isListenError(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes((error as { code?: string }).code ?? '');
}
