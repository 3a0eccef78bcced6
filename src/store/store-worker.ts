import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { parseDatabaseUrl } from './database-url.js';
import type { Engine } from './engine.js';
import { Inbox } from './inbox.js';
import { Outbox } from './outbox.js';
import { openPostgres } from './postgres/open-postgres.js';
import { openSqlite } from './sqlite/open-sqlite.js';
import { asPlainError, type FromThread, type ThreadTask } from './thread-protocol.js';

/*
 * The store's thread. It opens the database, says `ready`, and then answers units until it is told to close. It has
 * one way to fail, at the start and later alike: it throws, the thread ends, and the other side refuses everything.
 */

const port = parentPort;
if (port === null) throw new Error('this module is the start of a thread');
try {
  await live(port, workerData as ThreadTask);
} catch (error) {
  throw asPlainError(error);
}

async function live(caller: MessagePort, task: ThreadTask): Promise<void> {
  for (const moduleUrl of task.unitModules) await import(moduleUrl);
  const outbox = new Outbox(caller);
  const engine = await openEngine(task, outbox);
  const inbox = new Inbox(caller);
  const ready: FromThread = { kind: 'ready', facts: engine.facts };
  caller.postMessage(ready);
  await engine.serve(inbox, outbox);
  await engine.close();
  caller.close();
}

async function openEngine(task: ThreadTask, outbox: Outbox): Promise<Engine> {
  const target = parseDatabaseUrl(task.databaseUrl);
  if (target.engine === 'sqlite') return openSqlite(target.path, task);
  return openPostgres(target.url, task, outbox);
}
