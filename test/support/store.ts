import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  openStore,
  startStoreThreads,
  type StoreOptions,
  type StoreParts,
  type StoreThreads,
} from '#store/open-store.js';
import type { Store } from '#store/store.js';
import { transactionModules } from '#store/transaction-modules.js';
import { sourcesAsBuilt } from '../../tools/build.mjs';
import { FakeClock } from './fake-clock.js';
import { MIGRATIONS, writeFreshDatabase } from './fresh-database.js';
import { createMemoryLog } from './memory-log.js';
import { startNearThreads } from './near-threads.js';
import { moduleFolder, temporaryFolder } from './temporary-folder.js';

export interface TestStoreOptions extends Partial<Omit<StoreOptions, 'threads'>>, Partial<StoreParts> {
  /**
   * Modules of the test that define transactions. With them the store has its own threads, as in the service. The
   * threads load these modules, and the service's for the service's schema. Without, the store runs in the test's
   * thread.
   */
  threadTransactions?: readonly URL[];
}

/** `TEST_ENGINE=postgres` runs every test that does not choose an engine on PostgreSQL. */
const postgres =
  process.env['TEST_ENGINE'] === 'postgres' ? await (await import('./postgres.js')).openPostgres() : null;

async function freshDatabaseUrl(migrationsDir: URL | string): Promise<string> {
  if (postgres && migrationsDir !== MIGRATIONS) return postgres.server.createDatabase();
  if (postgres) return postgres.migratedDatabase();
  const path = join(temporaryFolder(), 'callwright.db');
  if (migrationsDir === MIGRATIONS) await writeFreshDatabase(path);
  return `sqlite:${path}`;
}

/** A store with the whole schema in a new SQLite file (or at `databaseUrl`), for one test or `beforeAll`. */
export async function startTestStore(options: TestStoreOptions = {}): Promise<Store> {
  const { threadTransactions, log = createMemoryLog().log, clock = new FakeClock(), ...rest } = options;
  const { migrationsDir = MIGRATIONS } = rest;
  return openStore(
    {
      databaseUrl: rest.databaseUrl ?? (await freshDatabaseUrl(migrationsDir)),
      migrationsDir,
      queueLimit: rest.queueLimit ?? 5_000,
      threads: threadTransactions
        ? await startOwnThreads(threadTransactions, migrationsDir === MIGRATIONS)
        : startNearThreads(),
    },
    { log, clock, ...(rest.onLost && { onLost: rest.onLost }), ...(rest.meter && { meter: rest.meter }) },
  );
}

async function startOwnThreads(
  threadTransactions: readonly URL[],
  loadsService: boolean,
): Promise<StoreThreads> {
  const compiled = await Promise.all(threadTransactions.map(compiledModule));
  return startStoreThreads([...(loadsService ? transactionModules : []), ...compiled]);
}

/** {@link startTestStore} for the present test: the store closes when the test has finished. */
export async function openTestStore(options: TestStoreOptions = {}): Promise<Store> {
  const store = await startTestStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** Compilations of test modules, by output path. */
const compiled = new Map<string, Promise<void>>();

/** Compiles a module of a test for a thread or a child process. */
export async function compiledModule(moduleUrl: URL): Promise<URL> {
  const output = join(moduleFolder(), `${createHash('sha256').update(moduleUrl.href).digest('hex')}.mjs`);
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
