import { jobsContract } from '@gantry/mcp-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RedisServer, startTemporaryRedis } from '../../../../../scripts/lib/redis.mjs';
import { useDatabase } from '../../../test/harness/database.js';
import { JobNodes } from '../../../test/harness/job-nodes.js';
import { APP_ROLE } from '../../infra/prisma/pool.js';
import { postgresTransport, redisTransport } from '../../modules/jobs/transport/bullmq-transport.js';
import type { JobTransport } from '../../modules/jobs/transport/job-transport.js';

type Faults = (error: unknown) => void;

function contractOn(name: string, transport: (onFault: Faults, databaseUrl: string) => JobTransport) {
  const db = useDatabase();
  let nodes: JobNodes | undefined;

  beforeAll(async () => {
    nodes = new JobNodes(db, (onFault) => transport(onFault, db.url));
    await nodes.start();
  });
  afterAll(() => nodes?.close());

  jobsContract(name, (tools) => (nodes as JobNodes).subject(tools));

  it('does its work without a fault', () => {
    expect(nodes?.faults).toEqual([]);
  });
}

describe('jobs in rows, carried by Postgres', () => {
  contractOn('Postgres rows and queue', (onFault, url) => postgresTransport(url, APP_ROLE, onFault));
});

describe('jobs in rows, carried by Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startTemporaryRedis();
  });
  afterAll(() => server?.stop());
  contractOn('Postgres rows and a Redis queue', (onFault) => redisTransport([server.url], onFault));
});
