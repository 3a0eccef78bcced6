import { openPostgres } from './postgres.js';
import { triesAll } from './tier.js';

const postgres = triesAll ? await openPostgres() : null;

/**
 * The engines that a test runs on, for `describe.each`: SQLite in the fast tier, PostgreSQL in the slow one. Files that
 * import this run in both tiers: `vitest.config.ts` looks for its name.
 */
export const engines: readonly string[] = postgres === null || postgres.isMissing ? ['sqlite'] : ['postgres'];

/** Where a store of an engine is opened: for PostgreSQL a database of its own, for SQLite what is usual. */
export async function databaseOn(engine: string): Promise<{ databaseUrl?: string }> {
  return engine === 'postgres' && postgres !== null ? postgres.databaseOn(engine) : {};
}
