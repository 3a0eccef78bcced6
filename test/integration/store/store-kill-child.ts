import { openSync, writeSync } from 'node:fs';
import { systemClock } from '#kernel/time/clock.js';
import { createLog } from '#kernel/log/log.js';
import { openStore, startStoreThreads } from '#store/open-store.js';
import { thingTransactions } from '#test/contracts/store-transactions.js';

/*
 * A small service for the kill test: many callers write without a pause, and each notes its acknowledged write in a
 * ledger outside the database before its next write.
 */

const CALLERS = 64;
const [databasePath, journalPath, run, transactionModule, migrationsDir] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];

const store = await openStore(
  {
    databaseUrl: `sqlite:${databasePath}`,
    threads: startStoreThreads([new URL(transactionModule)]),
    migrationsDir: new URL(migrationsDir),
    queueLimit: 5_000,
  },
  { log: createLog('ERROR'), clock: systemClock },
);
const ledger = openSync(journalPath, 'a');

async function callForEver(caller: number): Promise<void> {
  for (let i = 0; ; i += 1) {
    const id = `${run}-${caller}-${i}`;
    // One write in twenty fails after an insert, so that commits are rolled back and run again.
    if (i % 20 === 19) await store.write(thingTransactions.putThenFail, `failed-${id}`).catch(() => {});
    await store.write(thingTransactions.putMany, { ids: [`left-${id}`, `right-${id}`] });
    writeSync(ledger, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: CALLERS }, (_, caller) => callForEver(caller)));
