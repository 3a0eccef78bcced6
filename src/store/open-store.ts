import { EventEmitter } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { makeFolder } from '#kernel/system/folders.js';
import { startThread } from '#kernel/system/thread.js';
import { parseDatabaseUrl, type DatabaseTarget } from './database-url.js';
import { openFailure } from './open-failure.js';
import { backupDatabase } from '#store/sqlite/backup.js';
import type { Store } from './store.js';
import { StoreMeter } from './store-meter.js';
import { lossOf, openThread, ThreadClient } from '#store/threads/thread-client.js';
import type { ThreadStart, ThreadTask } from '#store/threads/thread-protocol.js';
import type { Transaction } from './transaction.js';

// Opens the database on two threads, a writer and a reader.

/** The database to open, and the threads that serve it. */
export interface StoreOptions {
  /** `sqlite:<path>` or `postgres://…`. */
  databaseUrl: string;
  /** Threads without a database yet. They end with the store, and also when the database cannot be opened. */
  threads: StoreThreads;
  /** The folder of the numbered `.sql` files: a path or a `file:` URL. */
  migrationsDir: URL | string;
  /** How many transactions may wait or run on each thread before further ones are refused with `unavailable`. */
  queueLimit: number;
}

/** The dependencies of the store. */
export interface StoreParts {
  log: Log;
  clock: Clock;
  /** Called once when the store is lost (full disk, dead thread): all transactions are refused from then on. */
  onLost?: (error: Error) => void;
  /** Gets the measurements of the store; by default they are dropped. */
  meter?: StoreMeter;
}

/** The store's threads, which load their modules and then wait for a database to open. */
export interface StoreThreads {
  writer: Worker;
  reader: Worker;
}

/**
 * Starts the store's threads. The service calls it before it reads its settings, so that the threads load meanwhile.
 * @param transactionModules compiled modules that declare transactions; both threads import all of them
 */
export function startStoreThreads(transactionModules: readonly URL[]): StoreThreads {
  const workerData: ThreadStart = { transactionModules: transactionModules.map(String) };
  const start = (name: string) => startThread('store/store-thread.js', { workerData, name });
  return { writer: start('store-writer'), reader: start('store-reader') };
}

/**
 * Opens the database on both threads, and applies pending migrations. Used by the app and by commands that need the
 * database.
 * @throws Error with the name of the database and the cause
 */
export async function openStore(options: StoreOptions, parts: StoreParts): Promise<Store> {
  const { writer, reader } = options.threads;
  try {
    const target = parseDatabaseUrl(options.databaseUrl);
    return await openOnThreads(target, options, parts).catch((error: unknown) => {
      throw openFailure(error, target);
    });
  } catch (error) {
    await Promise.all([writer.terminate(), reader.terminate()]);
    throw error;
  }
}

/** Opens the database on both threads. @throws Error as the thread that failed */
async function openOnThreads(
  target: DatabaseTarget,
  options: StoreOptions,
  parts: StoreParts,
): Promise<Store> {
  const { writer, reader } = options.threads;
  if (target.engine === 'sqlite') makeFolder(dirname(target.path));
  const task = taskOf(options, parts.clock);
  const onWarning = warningsTo(parts.log);
  // Both threads load at once, but the reader opens the database after the writer has locked and migrated it.
  const mayOpen = Promise.resolve();
  const writing = openThread(writer, { ...task, role: 'writer' }, { mayOpen, onWarning });
  const reading = openThread(reader, { ...task, role: 'reader' }, { mayOpen: writing, onWarning });
  const opening = Promise.all([writing, reading]);
  // The race also notices a writer that ends after it is ready, while the reader still opens.
  const [facts] = await Promise.race([opening, lossOf(writer), lossOf(reader)]);
  parts.log.info(facts, 'database is open');
  return new ThreadedStore(target, writer, reader, options, parts);
}

/** A function that logs the warnings of a thread. */
function warningsTo(log: Log): (message: string, reason: string) => void {
  return (message, reason) => log.warn({ reason }, message);
}

/** The task that both threads get, without their roles. */
function taskOf({ databaseUrl, migrationsDir }: StoreOptions, clock: Clock): Omit<ThreadTask, 'role'> {
  return {
    databaseUrl,
    migrationsDir: migrationsDir instanceof URL ? fileURLToPath(migrationsDir) : migrationsDir,
    startedAt: clock.wallMs(),
  };
}

/** The store on two open threads, a writer and a reader. When one of them is lost, the store is lost. */
class ThreadedStore implements Store {
  readonly #target: DatabaseTarget;
  readonly #writer: ThreadClient;
  readonly #reader: ThreadClient;
  /** Emits the id of each notification under its topic. */
  readonly #notices = new EventEmitter().setMaxListeners(0);
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
    const onWarning = warningsTo(parts.log);
    const onNotice = (topic: string, id: string) => this.#notices.emit(topic, id);
    const onLost = (error: Error) => {
      parts.log.fatal({ err: error }, 'database is lost');
      for (const client of [this.#writer, this.#reader]) void client.abandon();
      parts.onLost?.(error);
    };
    const meter = parts.meter ?? new StoreMeter();
    const onCommitted = meter.committed.bind(meter);
    this.#writer = new ThreadClient(writer, { queueLimit, onWarning, onNotice, onLost, onCommitted });
    this.#reader = new ThreadClient(reader, { queueLimit, onWarning, onNotice, onLost, onCommitted });
    meter.setQueueReader(() => ({ writer: this.#writer.waiting, reader: this.#reader.waiting }));
  }

  write<Args, Result>(transaction: Transaction<Args, Result>, args: Args): Promise<Result> {
    return this.#writer.run(transaction, args);
  }

  read<Args, Result>(transaction: Transaction<Args, Result>, args: Args): Promise<Result> {
    return this.#reader.run(transaction, args);
  }

  listen(topic: string, onNotice: (id: string) => void): () => void {
    this.#notices.on(topic, onNotice);
    return () => this.#notices.off(topic, onNotice);
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

  /** Closes the writer last: its final checkpoint must find no reader. */
  async #closeBoth(): Promise<void> {
    this.#writer.stopTaking();
    await this.#reader.close();
    await this.#writer.close();
  }
}
