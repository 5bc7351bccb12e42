import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Examples import the library by its name; here it is the one beside them, built or not.
  resolve: {
    alias: [{ find: /^@gantry\/mcp-core$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }],
  },
  test: {
    include: ['src/**/*.test.ts', 'examples/**/*.test.mjs'],
    testTimeout: 30_000,
    setupFiles: ['src/testing/check-frames.ts'],
  },
});
