import { chmodSync } from 'node:fs';
import pg from 'pg';
import { startPostgresServer } from '../test/support/postgres-server.js';
import { serverMicros } from './postgres-usage.js';

/** Enough for commits to share a flush; more of them make two cores no faster. */
const CONNECTIONS = 32;

/** Runs one statement of a transaction. */
export type Run = (sql: string, ...values: readonly unknown[]) => Promise<void>;

/** A PostgreSQL server with its usual settings, in a folder, with an empty database. */
export async function openServer(folder: string) {
  // Started by root, the server runs as a user who must be able to walk in.
  chmodSync(folder, 0o755);
  const server = await startPostgresServer(folder);
  const databaseUrl = await server.createDatabase();
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return {
    databaseUrl,
    /** Another empty database. */
    createDatabase: () => server.createDatabase(),
    /** Processor time that it has used so far (microseconds). */
    cpuMicros: () => serverMicros(rows[0]!.data_directory),
    remove: () => server.remove(),
  };
}

/** A PostgreSQL of its own as a developer gets it: safe defaults, a pool, a round trip for each statement. */
export async function openPostgres(folder: string, schema: string) {
  const server = await openServer(folder);
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: CONNECTIONS });
  // Idle connections are still on their way out when the server goes.
  pool.on('error', () => {});
  await pool.query(schema);
  return {
    pool,
    cpuMicros: server.cpuMicros,
    /** The rows of one step stand or fall together, and stand on the disk when this resolves. */
    async transaction(step: (run: Run) => Promise<void>): Promise<void> {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await step(async (sql, ...values) => void (await client.query(sql, [...values])));
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    async close(): Promise<void> {
      await pool.end();
      await server.remove();
    },
  };
}
