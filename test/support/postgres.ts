import { afterAll, inject } from 'vitest';
import type { PostgresServer } from './postgres-server.js';

/** A server for tests, or the reason why there is none. */
export interface PostgresForTests<Server> {
  /** True if no server can be started; the suite is then skipped. */
  isMissing: boolean;
  server: Server;
  /** The engines available here, for `describe.each`. */
  engines: readonly string[];
}

/** The server that all files of a run share. */
export interface SharedPostgres extends PostgresForTests<SharedServer> {
  /** The database for a store of an engine: a new one with the whole schema for PostgreSQL, the default for SQLite. */
  databaseOn(engine: string): Promise<{ databaseUrl?: string }>;
}

type SharedServer = Pick<PostgresServer, 'createDatabase' | 'administer'>;
type OwnServer = Omit<PostgresServer, 'remove'>;

/**
 * The server shared by all files of a run. If it cannot start, the reason is printed and the suite should be skipped;
 * with `CI` set that is an error.
 *
 *     const postgres = await openPostgres();
 *     describe.skipIf(postgres.isMissing)('…', () => { … postgres.server … });
 */
export async function openPostgres(): Promise<SharedPostgres> {
  const postgres = await forTests<SharedServer>(async () => {
    // Creates a database only to fail early if the server does not work.
    await ask('databases');
    return {
      createDatabase: () => ask('databases'),
      administer: async (sql) => void (await ask('statements', sql)),
    };
  });
  const databaseOn = async (engine: string) =>
    engine === 'postgres' ? { databaseUrl: await ask('migrated') } : {};
  return { ...postgres, databaseOn };
}

/** A separate server for a test file that stops it; removed with the file. See {@link openPostgres}. */
export function startPostgres(): Promise<PostgresForTests<OwnServer>> {
  return forTests<OwnServer>(async () => {
    const { startPostgresServer } = await import('./postgres-server.js');
    const server = await startPostgresServer();
    afterAll(() => server.remove());
    return server;
  });
}

async function ask(what: 'databases' | 'migrated' | 'statements', body = ''): Promise<string> {
  const answer = await fetch(`${inject('postgresDesk')}/${what}`, { method: 'POST', body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function forTests<Server extends object>(
  open: () => Promise<Server>,
): Promise<PostgresForTests<Server>> {
  try {
    const server = await open();
    return { isMissing: false, server, engines: ['sqlite', 'postgres'] };
  } catch (error) {
    if (process.env['CI']) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Tests on PostgreSQL are skipped, it cannot be started here: ${reason}\n`);
    const missing = (): never => {
      throw new Error(reason, { cause: error });
    };
    const server = new Proxy({}, { get: () => missing }) as Server;
    return { isMissing: true, server, engines: ['sqlite'] };
  }
}
