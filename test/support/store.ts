import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { builtModuleUrl } from '../../src/kernel/worker.js';
import { openStore, type StoreOptions, type StoreParts } from '../../src/store/open-store.js';
import type { Store } from '../../src/store/store.js';
import { FakeClock } from './fake-clock.js';
import { createMemoryLog } from './memory-log.js';

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

export interface TestStoreOptions extends Partial<Omit<StoreOptions, 'unitModules'>>, Partial<StoreParts> {
  /**
   * The modules whose units the test runs, by their source:
   * `new URL('../../../src/agents/agent-store.ts', import.meta.url)`. A module of the test itself works as well.
   */
  units: readonly URL[];
}

/** A store with the whole schema in a fresh SQLite file (or where `databaseUrl` says), for one test or `beforeAll`. */
export async function startTestStore(options: TestStoreOptions): Promise<Store> {
  const { units, log = createMemoryLog().log, clock = new FakeClock(), ...rest } = options;
  return openStore(
    {
      databaseUrl: rest.databaseUrl ?? `sqlite:${join(temporaryFolder(), 'callwright.db')}`,
      migrationsDir: rest.migrationsDir ?? MIGRATIONS,
      queueLimit: rest.queueLimit ?? 5_000,
      unitModules: await Promise.all(units.map(compiledModule)),
    },
    { log, clock, ...(rest.onLost ? { onLost: rest.onLost } : {}) },
  );
}

/** {@link startTestStore} for the test that is running: the store closes when the test has finished. */
export async function openTestStore(options: TestStoreOptions): Promise<Store> {
  const store = await startTestStore(options);
  onTestFinished(() => store.close());
  return store;
}

const root = mkdtempSync(join(tmpdir(), 'callwright-test-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

/** A folder that is gone when the test file has ended. */
export function temporaryFolder(): string {
  return mkdtempSync(join(root, 'folder-'));
}

const SOURCE_FOLDER = fileURLToPath(new URL('../../src/', import.meta.url));
const COMPILED_FOLDER = fileURLToPath(new URL('../../node_modules/.cache/callwright-test/', import.meta.url));

/** What a thread can load: the twin in `dist/` of one of our sources, or a module of the tests, compiled. */
export async function compiledModule(moduleUrl: URL): Promise<URL> {
  const path = fileURLToPath(moduleUrl);
  if (path.startsWith(SOURCE_FOLDER)) return builtModuleUrl(moduleUrl);
  mkdirSync(COMPILED_FOLDER, { recursive: true });
  const output = join(
    COMPILED_FOLDER,
    `${createHash('sha256').update(path).digest('hex')}-${process.pid}.mjs`,
  );
  await build({
    entryPoints: [path],
    outfile: output,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    plugins: [
      {
        name: 'sources-in-dist',
        setup({ onResolve }) {
          // The thread must meet the same module of ours under one address, or units would be declared twice.
          onResolve({ filter: /\/src\// }, ({ path: specifier, resolveDir }) => {
            const source = pathToFileURL(resolve(resolveDir, specifier.replace(/\.js$/, '.ts')));
            return { path: builtModuleUrl(source).href, external: true };
          });
        },
      },
    ],
  });
  process.on('exit', () => rmSync(output, { force: true }));
  return pathToFileURL(output);
}
