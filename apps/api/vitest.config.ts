import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Rings of their own.
    exclude: [...configDefaults.exclude, 'test/conformance/**', 'test/cluster/**'],
    globalSetup: ['test/harness/postgres-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 90_000,
    // A machine that is busy with others takes its time.
    expect: { poll: { timeout: 10_000, interval: 10 } },
  },
});
