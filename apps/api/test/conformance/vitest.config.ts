import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    globalSetup: ['../harness/postgres-server.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
