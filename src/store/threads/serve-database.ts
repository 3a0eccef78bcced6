import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { parseDatabaseUrl } from '#store/database-url.js';
import type { Engine } from './engine.js';
import { Inbox } from './inbox.js';
import { Outbox } from './outbox.js';
import type { FromThread, ThreadTask, ToThread } from './thread-protocol.js';

/**
 * The far side of a `ThreadClient`: waits for `open`, opens the database, says `ready`, and then answers units until it
 * is told to close.
 * @param unitsLoaded resolves when every unit that may be asked for is declared
 * @throws whatever keeps the database from being opened, or used any further
 */
export async function serveDatabase(caller: MessagePort, unitsLoaded: Promise<unknown>): Promise<void> {
  const opening = once(caller, 'message') as Promise<[ToThread & { kind: 'open' }]>;
  await unitsLoaded;
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
    const { openSqlite } = await import('#store/sqlite/open-sqlite.js');
    return openSqlite(target.path, task);
  }
  const { openPostgres } = await import('#store/postgres/open-postgres.js');
  return openPostgres(target.url, task, outbox);
}
