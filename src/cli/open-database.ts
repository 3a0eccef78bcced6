import { inspectDatabase, waitingMigrations, type DatabaseState } from '#store/inspect-database.js';
import { openStore, startStoreThreads } from '#store/open-store.js';
import type { Store } from '#store/store.js';
import { migrationsFolder } from '#kernel/system/installation.js';
import { unitModules } from '#store/unit-modules.js';
import type { CommandContext } from './command.js';

const QUEUE_LIMIT = 100;

/** Opens the configured database for one command and closes it again. */
export async function withDatabase<Result>(
  context: CommandContext,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(
    {
      databaseUrl: context.config.databaseUrl,
      threads: startStoreThreads(unitModules),
      migrationsDir: migrationsFolder,
      queueLimit: QUEUE_LIMIT,
    },
    { log: context.log, clock: context.clock },
  );
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/**
 * The name of the database, for a command that must not make one.
 * @throws Error when there is none yet
 */
export async function requireDatabase({ config }: CommandContext): Promise<string> {
  const state = await inspectDatabase(config.databaseUrl, migrationsFolder);
  assertThere(state);
  return state.name;
}

/** @throws Error when there is no database yet */
export function assertThere({ name, kind }: DatabaseState): void {
  if (kind === 'missing') throw new Error(`there is no database yet at ${name}`);
}

/**
 * What a command finds that is no reason to bring a database up to date: an older release may still use it.
 * @throws Error when migrations wait
 */
export async function requireUpToDate({ config }: CommandContext): Promise<DatabaseState> {
  const state = await inspectDatabase(config.databaseUrl, migrationsFolder);
  if (state.kind === 'missing' || state.pending.length === 0) return state;
  throw new Error(
    `${state.name}: ${waitingMigrations(state)}; \`callwright migrate\` or a start applies them`,
  );
}
