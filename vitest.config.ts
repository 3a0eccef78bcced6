import { defineConfig } from 'vitest/config';

// Threads of the house run compiled code: dist/ must be of these very sources.
const shared = { globalSetup: ['test/support/build-dist.ts'], pool: 'forks' as const, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'rooms',
          include: ['test/unit/**/*.test.ts', 'test/integration/**/*.test.ts', 'test/contracts/**/*.test.ts'],
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Calls that last as long as calls do, and processes that are killed: afterwards, and one at a time, so that
        // nothing else takes the time that sound needs.
        test: {
          ...shared,
          name: 'whole',
          include: ['test/e2e/**/*.test.ts', 'test/crash/**/*.test.ts'],
          testTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
