import { openPostgres } from './postgres.js';
import { triesAll } from './tier.js';

const postgres = triesAll ? await openPostgres() : null;

/**
 * The engines of a test, for `describe.each`: SQLite in the fast tier, PostgreSQL in the slow one. Files that import
 * this run in both tiers: `vitest.config.ts` looks for its name.
 */
export const engines: readonly string[] = postgres === null || postgres.isMissing ? ['sqlite'] : ['postgres'];

/** The database for a store of an engine: a new one with the whole schema for PostgreSQL, the default for SQLite. */
export async function databaseOn(engine: string): Promise<{ databaseUrl?: string }> {
  return engine === 'postgres' && postgres !== null ? postgres.databaseOn(engine) : {};
}

/** {@link databaseOn} without a schema. */
export async function emptyDatabaseOn(engine: string): Promise<{ databaseUrl?: string }> {
  return engine === 'postgres' && postgres !== null
    ? { databaseUrl: await postgres.server.createDatabase() }
    : {};
}
