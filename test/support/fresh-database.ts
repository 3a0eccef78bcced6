import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '#store/open-store.js';
import { FakeClock } from './fake-clock.js';
import { createMemoryLog } from './memory-log.js';
import { startNearThreads } from './near-threads.js';
import { temporaryFolder } from './temporary-folder.js';

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

let migrated: Promise<Buffer> | null = null;

/**
 * Writes an SQLite file with the whole schema and no rows. The migrations run once per process: per test they would
 * take 25 ms and thirty disk flushes.
 */
export async function writeFreshDatabase(path: string): Promise<void> {
  migrated ??= migratedFile();
  await writeFile(path, await migrated, { mode: 0o600 });
}

async function migratedFile(): Promise<Buffer> {
  const path = join(temporaryFolder(), 'schema.db');
  await migrate(`sqlite:${path}`);
  return readFileSync(path);
}

/** Gives an empty database the whole schema. */
export async function migrate(databaseUrl: string): Promise<void> {
  const store = await openStore(
    { databaseUrl, migrationsDir: MIGRATIONS, queueLimit: 1, threads: startNearThreads() },
    { log: createMemoryLog().log, clock: new FakeClock() },
  );
  await store.close();
}
