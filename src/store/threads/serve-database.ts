import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { parseDatabaseUrl } from '#store/database-url.js';
import { Inbox } from './inbox.js';
import { Outbox } from './outbox.js';
import type { FromThread, ThreadFacts, ThreadTask, ToThread } from './thread-protocol.js';

// The main function of a store thread, and the port of the engines that it can run.

/** A database inside a store thread: runs the jobs of an inbox and puts their results into an outbox. */
export interface Engine {
  readonly facts: ThreadFacts;
  /** Serves until the inbox is closed and empty. Rejects when the database is lost, which ends the thread. */
  serve(inbox: Inbox, outbox: Outbox): Promise<void>;
  /** Closes the database; called when no job runs. */
  close(): Promise<void>;
}

/**
 * The thread's side of a `ThreadClient`: waits for `open`, opens the database, posts `ready`, and runs transactions
 * until `close`.
 * @param transactionsLoaded resolves when all transactions are declared
 * @throws Error when the database cannot be opened, or is lost
 */
export async function serveDatabase(
  caller: MessagePort,
  transactionsLoaded: Promise<unknown>,
): Promise<void> {
  const opening = once(caller, 'message') as Promise<[ToThread & { kind: 'open' }]>;
  await transactionsLoaded;
  const [{ task }] = await opening;
  const outbox = new Outbox(caller);
  const engine = await openEngine(task, outbox);
  const inbox = new Inbox(caller);
  const ready: FromThread = { kind: 'ready', facts: engine.facts };
  caller.postMessage(ready);
  await engine.serve(inbox, outbox);
  await engine.close();
  caller.close();
}

/** Opens the database; only the driver of its engine is loaded. */
async function openEngine(task: ThreadTask, outbox: Outbox): Promise<Engine> {
  const target = parseDatabaseUrl(task.databaseUrl);
  if (target.engine === 'sqlite') {
    const { openSqlite } = await import('#store/sqlite/open-sqlite.js');
    return openSqlite(target.path, task);
  }
  const { openPostgres } = await import('#store/postgres/open-postgres.js');
  return openPostgres(target.url, task, outbox);
}
