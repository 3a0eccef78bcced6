import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import { startThread } from '../kernel/worker.js';
import { parseDatabaseUrl, type DatabaseTarget } from './database-url.js';
import { backupDatabase } from './sqlite/backup.js';
import type { Store } from './store.js';
import { openThread, ThreadClient } from './thread-client.js';
import type { ThreadTask } from './thread-protocol.js';
import type { Unit } from './unit.js';

export interface StoreOptions {
  /** `sqlite:<path>` or `postgres://…`. */
  databaseUrl: string;
  /** Compiled modules that declare units; the store's threads import them all. */
  unitModules: readonly URL[];
  /** The folder of the numbered `.sql` files: a path or a `file:` URL. */
  migrationsDir: URL | string;
  /** How many units may wait before further ones are refused with `unavailable`. */
  queueLimit: number;
}

export interface StoreParts {
  log: Log;
  clock: Clock;
  /** Called once when the store is lost (a full disk, a dead thread): everything is refused from then on. */
  onLost?: (error: Error) => void;
}

/** Opens the database, brings it up to date and starts the threads that serve it. */
export async function openStore(options: StoreOptions, parts: StoreParts): Promise<Store> {
  const target = parseDatabaseUrl(options.databaseUrl);
  if (target.engine === 'sqlite') mkdirSync(dirname(target.path), { recursive: true });
  const writer = startStoreThread('writer', options, parts.clock);
  const reader = startStoreThread('reader', options, parts.clock);
  try {
    // Both load at the same time, but the reader opens a database that the writer has locked, created and migrated.
    const writing = openThread(writer, Promise.resolve());
    const [facts] = await Promise.all([writing, openThread(reader, writing)]);
    parts.log.info(facts, 'database is open');
    return new ThreadedStore(target, writer, reader, options, parts);
  } catch (error) {
    await Promise.all([writer.terminate(), reader.terminate()]);
    throw error;
  }
}

function startStoreThread(role: ThreadTask['role'], options: StoreOptions, clock: Clock): Worker {
  const { databaseUrl, migrationsDir, unitModules } = options;
  const task: ThreadTask = {
    role,
    databaseUrl,
    migrationsDir: migrationsDir instanceof URL ? fileURLToPath(migrationsDir) : migrationsDir,
    unitModules: unitModules.map(String),
    startedAt: clock.wallMs(),
  };
  return startThread(import.meta.url, './store-worker.js', { workerData: task, name: `store-${role}` });
}

/** The store as two threads: one that writes, one that reads. When one of them is lost, the store is. */
class ThreadedStore implements Store {
  readonly #target: DatabaseTarget;
  readonly #writer: ThreadClient;
  readonly #reader: ThreadClient;
  #closed: Promise<void> | null = null;

  constructor(
    target: DatabaseTarget,
    writer: Worker,
    reader: Worker,
    options: StoreOptions,
    parts: StoreParts,
  ) {
    this.#target = target;
    const { queueLimit } = options;
    const onWarning = (message: string, reason: string) => parts.log.warn({ reason }, message);
    const onLost = (error: Error) => {
      parts.log.fatal({ err: error }, 'database is lost');
      for (const client of [this.#writer, this.#reader]) void client.abandon();
      parts.onLost?.(error);
    };
    this.#writer = new ThreadClient(writer, { queueLimit, onWarning, onLost });
    this.#reader = new ThreadClient(reader, { queueLimit, onWarning, onLost });
  }

  write<Args, Result>(unit: Unit<Args, Result>, args: Args): Promise<Result> {
    return this.#writer.ask(unit, args);
  }

  read<Args, Result>(unit: Unit<Args, Result>, args: Args): Promise<Result> {
    return this.#reader.ask(unit, args);
  }

  async backup(path: string): Promise<void> {
    if (this.#target.engine === 'postgres') {
      throw new Error('backup copies SQLite files only: use pg_dump to back up PostgreSQL');
    }
    await backupDatabase(this.#target.path, path);
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeBoth();
    return this.#closed;
  }

  /** The writer ends last, so that its final checkpoint finds no reader. */
  async #closeBoth(): Promise<void> {
    this.#writer.stopTaking();
    await this.#reader.close();
    await this.#writer.close();
  }
}
