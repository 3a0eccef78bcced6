import type { Engine } from '#store/threads/engine.js';
import { readMigrations } from '#store/migrations.js';
import type { Outbox } from '#store/threads/outbox.js';
import type { ThreadTask } from '#store/threads/thread-protocol.js';
import { assertDurable, connectForStart, createPool, POOL_SIZES, show } from './connect.js';
import { migratePostgres } from './migrate-postgres.js';
import { PostgresEngine } from './postgres-engine.js';

/** Connects to PostgreSQL inside a store thread. The writer migrates first. */
export async function openPostgres(url: string, task: ThreadTask, outbox: Outbox): Promise<Engine> {
  const client = await connectForStart(url);
  try {
    await assertDurable(client);
    const version = await show(client, 'server_version');
    const migrations = readMigrations(task.migrationsDir);
    const migrated = task.role === 'writer' ? await migratePostgres(client, migrations, task.startedAt) : [];
    const pool = createPool(url, POOL_SIZES[task.role]);
    const warn = (message: string, reason: string) => outbox.warn(message, reason);
    return new PostgresEngine(pool, { engine: 'postgres', version, migrated }, { role: task.role, warn });
  } finally {
    await client.end();
  }
}
