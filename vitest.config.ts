import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/patience.js';

// Threads of the house run compiled code: dist/ must be of these very sources.
const shared = {
  globalSetup: ['test/support/build-dist.ts'],
  // What is built is loaded as it is.
  server: { deps: { external: [/\/dist\//] } },
  pool: 'forks' as const,
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: TEST_LIMIT_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'rooms',
          include: ['test/unit/**/*.test.ts', 'test/integration/**/*.test.ts', 'test/contracts/**/*.test.ts'],
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Processes that are killed.
        test: {
          ...shared,
          name: 'crash',
          include: ['test/crash/**/*.test.ts'],
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Calls that last as long as calls do: afterwards, and one at a time, so that nothing else takes the time that
        // sound needs.
        test: {
          ...shared,
          name: 'whole',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
