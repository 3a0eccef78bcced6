import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import {
  openStore,
  startStoreThreads,
  type StoreOptions,
  type StoreParts,
  type StoreThreads,
} from '#store/open-store.js';
import type { Store } from '#store/store.js';
import { unitModules } from '#store/unit-modules.js';
import { sourcesAsBuilt } from '../../tools/build.mjs';
import { FakeClock } from './fake-clock.js';
import { createMemoryLog } from './memory-log.js';
import { startNearThreads } from './near-threads.js';

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

export interface TestStoreOptions extends Partial<Omit<StoreOptions, 'threads'>>, Partial<StoreParts> {
  /**
   * Modules of the test that declare units. With them the store has threads of its own, as in the service, which load
   * these and all of the service's; without, the test's own thread does the work.
   */
  threadUnits?: readonly URL[];
}

/** `TEST_ENGINE=postgres` lets every test that does not choose an engine run on PostgreSQL. */
const postgres =
  process.env['TEST_ENGINE'] === 'postgres' ? await (await import('./postgres.js')).startPostgres() : null;

async function freshDatabaseUrl(): Promise<string> {
  return postgres ? postgres.server.createDatabase() : `sqlite:${join(temporaryFolder(), 'callwright.db')}`;
}

/** A store with the whole schema in a fresh SQLite file (or where `databaseUrl` says), for one test or `beforeAll`. */
export async function startTestStore(options: TestStoreOptions = {}): Promise<Store> {
  const { threadUnits, log = createMemoryLog().log, clock = new FakeClock(), ...rest } = options;
  return openStore(
    {
      databaseUrl: rest.databaseUrl ?? (await freshDatabaseUrl()),
      migrationsDir: rest.migrationsDir ?? MIGRATIONS,
      queueLimit: rest.queueLimit ?? 5_000,
      threads: threadUnits ? await startOwnThreads(threadUnits) : startNearThreads(),
    },
    { log, clock, ...(rest.onLost && { onLost: rest.onLost }), ...(rest.meter && { meter: rest.meter }) },
  );
}

async function startOwnThreads(threadUnits: readonly URL[]): Promise<StoreThreads> {
  return startStoreThreads([...unitModules, ...(await Promise.all(threadUnits.map(compiledModule)))]);
}

/** {@link startTestStore} for the test that is running: the store closes when the test has finished. */
export async function openTestStore(options: TestStoreOptions = {}): Promise<Store> {
  const store = await startTestStore(options);
  onTestFinished(() => store.close());
  return store;
}

const root = mkdtempSync(join(tmpdir(), 'callwright-test-'));
const compiledFolder = mkdtempSync(join(cacheFolder(), 'units-'));
afterAll(() => {
  for (const folder of [root, compiledFolder]) rmSync(folder, { recursive: true, force: true });
});

/** Test modules that are compiled or being compiled, by where they go. */
const compiled = new Map<string, Promise<void>>();

/** A folder that is gone when the test file has ended. */
export function temporaryFolder(): string {
  return mkdtempSync(join(root, 'folder-'));
}

/** Inside node_modules, so that what is compiled there finds the packages that it imports. */
function cacheFolder(): string {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/callwright-test/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A module of a test, compiled: what a thread or a child process can load. */
export async function compiledModule(moduleUrl: URL): Promise<URL> {
  const output = join(compiledFolder, `${createHash('sha256').update(moduleUrl.href).digest('hex')}.mjs`);
  const compiling = compiled.get(output) ?? compile(fileURLToPath(moduleUrl), output);
  compiled.set(output, compiling);
  await compiling;
  return pathToFileURL(output);
}

async function compile(path: string, output: string): Promise<void> {
  await build({
    entryPoints: [path],
    outfile: output,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    plugins: [sourcesAsBuilt],
  });
}
