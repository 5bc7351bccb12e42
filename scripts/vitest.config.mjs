import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.mjs'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // Each of these starts a whole house.
    fileParallelism: false,
  },
});
