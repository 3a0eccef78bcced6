import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/patience.js';

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

// What tests write goes into memory where there is room: most of the wait for a thousand databases is for the disk.
if (process.env['TMPDIR'] === undefined && hasRoom(MEMORY)) process.env['TMPDIR'] = MEMORY;

/** Test files run one after the other in few processes, since loading the service takes longer than most tests. */
const shared = {
  globalSetup: ['test/support/build-dist.ts', 'test/support/shared-postgres.ts'],
  setupFiles: ['test/support/each-file.ts'],
  // Threads of the service run compiled code, which is loaded as it is.
  server: { deps: { external: [/\/dist\//] } },
  pool: 'forks' as const,
  isolate: false,
  maxWorkers: '100%',
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: TEST_LIMIT_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

const fast = {
  ...shared,
  name: 'fast',
  include: ['test/{unit,integration,e2e}/**/*.test.ts'],
  provide: { tier: 'fast' as const },
};

const SPOKEN_BY_PROCESSES = ['test/slow/service/{two-commands,demonstration}.test.ts'];

/** `SOAK=1` is set by `npm run soak`. */
const tier = process.env['SOAK'] === undefined ? ('slow' as const) : ('soak' as const);
const everyCase = { ...shared, provide: { tier } };
const slow = [
  {
    ...everyCase,
    name: 'cases',
    include: ['test/slow/{speech,engines,load,recordings}/**/*.test.ts', ...filesOfBothTiers()],
    sequence: { groupOrder: 0 },
  },
  {
    // Processes and calls at the pace of speech: the files often wait, so one more of them runs than there are cores.
    ...everyCase,
    name: 'services',
    include: ['test/slow/{crash,commands,service,console,telephony}/**/*.test.ts'],
    exclude: SPOKEN_BY_PROCESSES,
    maxWorkers: availableParallelism() + 1,
    sequence: { groupOrder: 1 },
  },
  {
    // What measures time, and calls that are spoken in processes of their own: afterwards, and one file at a time, so that
    // nothing takes the time that sound needs.
    ...everyCase,
    name: 'real time',
    include: ['test/slow/real-time/**/*.test.ts', ...SPOKEN_BY_PROCESSES],
    fileParallelism: false,
    sequence: { groupOrder: 2 },
  },
];

/** `vitest run` is the fast tier, `vitest run --mode slow` the slow one: see CONTRIBUTING.md. */
export default defineConfig(({ mode }) => ({
  test: {
    projects: (mode === 'slow' ? slow : [fast]).map((test) => ({ test })),
    sequence: { sequencer: LongestFirst },
    // Lists of phrases are read, not imported: in watch mode, a changed one runs the tests of all of them.
    watchTriggerPatterns: [{ pattern: /test\/phrases\/.+\.yaml$/, testsToRun: phraseTests }],
  },
}));

function phraseTests(): string[] {
  const folder = 'test/unit/phrases';
  return readdirSync(folder).map((file) => join(folder, file));
}

/** Files outside of `test/slow` that try more cases in the slow tier. */
function filesOfBothTiers(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith('slow'))
    .map((path) => join('test', path))
    .filter((path) => /#test\/support\/(tier|engines)\.js/.test(readFileSync(path, 'utf8')));
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
