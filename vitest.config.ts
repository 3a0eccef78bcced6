import { defineConfig } from 'vitest/config';

// Threads of the house run compiled code: dist/ must be of these very sources.
const shared = {
  globalSetup: ['test/support/build-dist.ts'],
  // What is built is loaded as it is.
  server: { deps: { external: [/\/dist\//] } },
  pool: 'forks' as const,
  // What is waited for comes when the machine has time for it: only what hangs is over time.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
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
