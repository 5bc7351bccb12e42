import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    globalSetup: ['../harness/postgres-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Each file has nodes, a Redis and clients of its own, and mostly waits for leases to lapse.
    maxWorkers: 4,
  },
});
