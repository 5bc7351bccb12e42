import { defineConfig } from 'vitest/config';

/** Journeys through the real stack in a real browser; they need what `npm start` needs, and Chromium. */
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    environment: 'node',
    // Each file starts a stack of its own, and half of its time waits for the browser.
    maxWorkers: 2,
    testTimeout: 120_000,
    // A first start builds what changed.
    hookTimeout: 600_000,
    // Each step of a journey stands on the one before.
    bail: 1,
  },
});
