import { once } from 'node:events';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { parseDatabaseUrl } from './database-url.js';
import type { Engine } from './threads/engine.js';
import { Inbox } from './threads/inbox.js';
import { Outbox } from './threads/outbox.js';
import {
  asPlainError,
  type FromThread,
  type ThreadStart,
  type ThreadTask,
  type ToThread,
} from './threads/thread-protocol.js';

/*
 * The store's thread. It loads the units, waits for `open`, opens the database, says `ready`, and then answers units
 * until it is told to close. It has one way to fail, at the start and later alike: it throws, the thread ends, and the
 * other side refuses everything.
 */

const port = parentPort;
if (port === null) throw new Error('this module is the start of a thread');
try {
  await live(port, workerData as ThreadStart);
} catch (error) {
  throw asPlainError(error);
}

async function live(caller: MessagePort, { unitModules }: ThreadStart): Promise<void> {
  const opening = once(caller, 'message') as Promise<[ToThread & { kind: 'open' }]>;
  await Promise.all(unitModules.map((moduleUrl) => import(moduleUrl)));
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

/** Loads only the driver that is needed. */
async function openEngine(task: ThreadTask, outbox: Outbox): Promise<Engine> {
  const target = parseDatabaseUrl(task.databaseUrl);
  if (target.engine === 'sqlite') {
    const { openSqlite } = await import('./sqlite/open-sqlite.js');
    return openSqlite(target.path, task);
  }
  const { openPostgres } = await import('./postgres/open-postgres.js');
  return openPostgres(target.url, task, outbox);
}
