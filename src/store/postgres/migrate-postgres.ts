import type { ClientBase } from 'pg';
import {
  CREATE_MIGRATIONS_TABLE,
  INSERT_MIGRATION,
  pendingMigrations,
  SELECT_MIGRATIONS,
  type AppliedMigration,
  type Migration,
} from '#store/migrations.js';
import { numberPlaceholders } from './placeholders.js';

/** The advisory lock under which one process migrates while others that start wait: an arbitrary constant of ours. */
const MIGRATION_LOCK = 4_207_010_811;

/** Brings a PostgreSQL database up to date, one transaction for each migration; returns the names of those it ran. */
export async function migratePostgres(
  client: ClientBase,
  known: readonly Migration[],
  nowMs: number,
): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  try {
    await client.query(CREATE_MIGRATIONS_TABLE);
    const applied = await client.query<AppliedMigration>(SELECT_MIGRATIONS);
    const pending = pendingMigrations(applied.rows, known);
    for (const migration of pending) await applyMigration(client, migration, nowMs);
    return pending.map((migration) => migration.name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  }
}

async function applyMigration(client: ClientBase, migration: Migration, nowMs: number): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query(numberPlaceholders(INSERT_MIGRATION), [migration.name, migration.checksum, nowMs]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
