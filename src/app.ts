import { mkdir } from 'node:fs/promises';
import type { Config } from './config.js';
import type { App } from './house.js';
import type { Clock } from './kernel/clock.js';
import { systemClock } from './kernel/clock.js';
import { createIds } from './kernel/ids.js';
import { createLog, type Log } from './kernel/log.js';
import type { Replacements } from './replacements.js';
import { openStore } from './store/open-store.js';
import type { Store } from './store/store.js';
import { unitModules } from './unit-modules.js';

export type { App } from './house.js';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
/** Units that may wait for the database before requests are answered 503. */
const STORE_QUEUE_LIMIT = 5_000;

/** What the process wants to be told. */
export interface Hooks {
  /** The database is lost: nothing can be accepted any more, and only a new start can help. */
  onStoreLost?: (error: Error) => void;
}

/** Opens the database and, over it, the house. */
export async function buildApp(
  config: Config,
  replace: Partial<Replacements> = {},
  hooks: Hooks = {},
): Promise<App> {
  const clock = replace.clock ?? systemClock;
  const ids = replace.ids ?? createIds(clock);
  const log = replace.log ?? createLog(config.logLevel);
  await mkdir(config.recordingsDir, { recursive: true });
  // The threads of the database take as long to load as all the rest of the house, so both do at the same time.
  const [store, { openHouse }] = await Promise.all([
    openDatabase(config, { clock, log }, hooks),
    import('./house.js'),
  ]);
  return openHouse(config, { clock, ids, log, store }, replace);
}

function openDatabase(config: Config, parts: { clock: Clock; log: Log }, hooks: Hooks): Promise<Store> {
  const { databaseUrl } = config;
  const options = { databaseUrl, unitModules, migrationsDir: MIGRATIONS, queueLimit: STORE_QUEUE_LIMIT };
  return openStore(options, { ...parts, ...(hooks.onStoreLost ? { onLost: hooks.onStoreLost } : {}) });
}
