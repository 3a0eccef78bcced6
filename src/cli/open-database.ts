import { inspectDatabase, waitingMigrations, type DatabaseState } from '#store/inspect-database.js';
import { openStore, startStoreThreads } from '#store/open-store.js';
import type { Store } from '#store/store.js';
import { migrationsFolder } from '#kernel/system/installation.js';
import { transactionModules } from '#store/transaction-modules.js';
import type { CommandContext } from './command.js';

// Opens and checks the configured database for commands that work on it without the service.

/** The most transactions that may wait; a command has only a few at once. */
const QUEUE_LIMIT = 100;

/** Opens the configured database for one command and closes it again. */
export async function withDatabase<Result>(
  context: CommandContext,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(
    {
      databaseUrl: context.config.databaseUrl,
      threads: context.startThreads?.() ?? startStoreThreads(transactionModules),
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

/** Checks that the database exists, and returns its name. @throws Error if it does not */
export async function requireDatabase({ config }: CommandContext): Promise<string> {
  const state = await inspectDatabase(config.databaseUrl, migrationsFolder);
  assertExists(state);
  return state.name;
}

/** @throws Error if there is no database */
export function assertExists({ name, kind }: DatabaseState): void {
  if (kind === 'missing') throw new Error(`there is no database yet at ${name}`);
}

/**
 * Checks that the database needs no migration, for commands that must not migrate it: an older release may still use
 * it. Returns its state, also if there is no database (`missing`).
 * @throws Error if migrations are pending
 */
export async function requireUpToDate({ config }: CommandContext): Promise<DatabaseState> {
  const state = await inspectDatabase(config.databaseUrl, migrationsFolder);
  if (state.kind === 'missing' || state.pending.length === 0) return state;
  throw new Error(
    `${state.name}: ${waitingMigrations(state)}; \`callwright migrate\` or a start applies them`,
  );
}
