import { parentPort, workerData } from 'node:worker_threads';
import { parseDatabaseUrl } from './database-url.js';
import type { Engine } from './engine.js';
import { Inbox } from './inbox.js';
import { Outbox } from './outbox.js';
import { openPostgres } from './postgres/open-postgres.js';
import { openSqlite } from './sqlite/open-sqlite.js';
import type { FromThread, ThreadTask } from './thread-protocol.js';

/*
 * The store's thread. It opens the database, says `ready`, and then answers units until it is told to close. It has
 * one way to fail, at the start and later alike: it throws, the thread ends, and the other side refuses everything.
 */

const port = parentPort;
if (port === null) throw new Error('this module is the start of a thread');
const task = workerData as ThreadTask;
for (const moduleUrl of task.unitModules) await import(moduleUrl);

const outbox = new Outbox(port);
const engine = await openEngine();
const inbox = new Inbox(port);
const ready: FromThread = { kind: 'ready', facts: engine.facts };
port.postMessage(ready);
await engine.serve(inbox, outbox);
await engine.close();
port.close();

async function openEngine(): Promise<Engine> {
  const target = parseDatabaseUrl(task.databaseUrl);
  if (target.engine === 'sqlite') return openSqlite(target.path, task);
  return openPostgres(target.url, task, outbox);
}
