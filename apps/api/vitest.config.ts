import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Rings of their own.
    exclude: [...configDefaults.exclude, 'test/conformance/**', 'test/cluster/**'],
    globalSetup: ['test/harness/postgres-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 90_000,
    // Many files wait for leases and graces of real processes: two at a time, even on two cores.
    maxWorkers: 2,
    // Modules are loaded once a worker, not once a file: half of the time went there.
    isolate: false,
    // A machine that is busy with others takes its time.
    expect: { poll: { timeout: 10_000, interval: 10 } },
  },
});
