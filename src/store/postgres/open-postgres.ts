import type pg from 'pg';
import type { Engine } from '#store/threads/serve-database.js';
import {
  CREATE_MIGRATIONS_TABLE,
  INSERT_MIGRATION,
  pendingMigrations,
  readMigrations,
  SELECT_MIGRATIONS,
  type AppliedMigration,
  type Migration,
} from '#store/migrations.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { ThreadFacts, ThreadTask } from '#store/threads/thread-protocol.js';
import { awaitConnection } from './await-connection.js';
import { assertDurable, connectAlone, connectForStart, createPool, show, CONNECTIONS } from './connect.js';
import { ListeningEngine, NoticeListener } from './notice-listener.js';
import { PostgresEngine } from './postgres-engine.js';
import { numberPlaceholders } from './transaction.js';

/** Connects to PostgreSQL inside a store thread. The writer also migrates; the reader also receives notifications. */
export async function openPostgres(url: string, task: ThreadTask, outbox: Outbox): Promise<Engine> {
  const warn = (message: string, reason: string) => outbox.warn(message, reason);
  const facts = await migrateAndDescribe(await awaitConnection(() => connectForStart(url), warn), task);
  const { alone, sharing } = CONNECTIONS[task.role];
  const pool = createPool(url, alone + sharing);
  // Opens a connection of the pool: if the server has no free connection, the wait is here, not in a transaction.
  (await awaitConnection(() => pool.connect(), warn)).release();
  const engine = new PostgresEngine(pool, facts, { role: task.role, warn });
  if (task.role === 'writer') return engine;
  const onNotice = (topic: string, id: string) => outbox.notice(topic, id);
  return new ListeningEngine(engine, new NoticeListener(() => connectAlone(url), onNotice));
}

/** Checks the server, applies pending migrations (the writer only), and closes the connection. */
async function migrateAndDescribe(client: pg.Client, task: ThreadTask): Promise<ThreadFacts> {
  try {
    await assertDurable(client);
    const version = await show(client, 'server_version');
    const migrations = readMigrations(task.migrationsDir);
    const migrated = task.role === 'writer' ? await migratePostgres(client, migrations, task.startedAt) : [];
    return { engine: 'postgres', version, migrated };
  } finally {
    await client.end();
  }
}

/** Key of the advisory lock under which one process migrates while others wait: an arbitrary constant. */
const MIGRATION_LOCK = 4_207_010_811;

/** Applies pending migrations, one transaction each; returns their names. */
async function migratePostgres(
  client: pg.ClientBase,
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

async function applyMigration(client: pg.ClientBase, migration: Migration, nowMs: number): Promise<void> {
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
