import type { Config } from '#config/config.js';
import type { App } from './compose-app.js';
import { systemClock } from '#kernel/time/clock.js';
import { ClockWatch } from '#kernel/work/clock-watch.js';
import { migrationsFolder } from '#kernel/system/installation.js';
import { createIds } from '#kernel/ids/ids.js';
import { createLog } from '#kernel/log/log.js';
import { makeFolder } from '#kernel/system/folders.js';
import { SharedClock } from '#kernel/time/shared-clock.js';
import type { Replacements } from './replacements.js';
import { openStore, startStoreThreads, type StoreThreads } from '#store/open-store.js';
import { StoreMeter } from '#store/store-meter.js';
import { ClockSynchroniser } from '#store/clock-synchroniser.js';
import { transactionModules } from '#store/transaction-modules.js';

export type { App, Start } from './compose-app.js';

// The entry of the composition root (the one place that creates all modules and connects them): builds the whole
// service for the commands `serve` and `demo`, and for tests.

/** The limit of transactions that wait for the database; above it, requests are answered with 503. */
const STORE_QUEUE_LIMIT = 5_000;

/** Callbacks to the process that runs the service. */
export interface Hooks {
  /** Called when the database is lost: the service can accept nothing more, and only a restart helps. */
  onStoreLost?: (error: Error) => void;
}

/** Starts the threads of the database. They load slowly, so `main.ts` starts them first. */
export function startThreads(): StoreThreads {
  return startStoreThreads(transactionModules);
}

/**
 * Opens the database and composes the service on top of it. The result is ready to `listen`.
 * @param replace parts that a test replaces
 * @param startedThreads threads of the database, if they were started before
 */
export async function buildApp(
  config: Config,
  replace: Partial<Replacements> = {},
  hooks: Hooks = {},
  startedThreads?: StoreThreads,
): Promise<App> {
  const clock = new SharedClock(replace.clock ?? systemClock);
  const ids = replace.ids ?? createIds(clock);
  const log = replace.log ?? createLog(config.logLevel);
  makeFolder(config.recordingsDir);
  const threads = startedThreads ?? startThreads();
  // Loading the threads takes as long as loading the rest of the service, so both are done concurrently.
  const meter = new StoreMeter();
  const [database, { composeApp }] = await Promise.all([
    openStore(
      {
        databaseUrl: config.databaseUrl,
        threads,
        migrationsDir: migrationsFolder,
        queueLimit: STORE_QUEUE_LIMIT,
      },
      { clock, log, meter, ...(hooks.onStoreLost ? { onLost: hooks.onStoreLost } : {}) },
    ),
    import('./compose-app.js'),
  ]);
  const store = replace.store?.(database) ?? database;
  const clockSynchroniser = new ClockSynchroniser({ store, clock, log });
  await clockSynchroniser.start();
  // The watch for jumps of the clock starts after the shared clock was synchronised: that may change it by hours.
  const clockTrust = new ClockWatch({ clock, log });
  clockTrust.start();
  const app = await composeApp(config, { clock, clockTrust, ids, log, store, meter }, replace);
  return {
    ...app,
    close() {
      clockSynchroniser.stop();
      clockTrust.stop();
      return app.close();
    },
  };
}
