import { afterAll, inject } from 'vitest';
import type { PostgresServer } from './postgres-server.js';

/** A server to test with, or why there is none. */
export interface PostgresForTests<Server> {
  /** True where no server can be started; the suite is skipped then. */
  isMissing: boolean;
  server: Server;
  /** The engines that can be tried here, for `describe.each`. */
  engines: readonly string[];
  /** Where a store of one of them is opened: for PostgreSQL a database of its own, for SQLite what is usual. */
  databaseOn(engine: string): Promise<{ databaseUrl?: string }>;
}

type SharedServer = Pick<PostgresServer, 'createDatabase' | 'administer'>;
type OwnServer = Omit<PostgresServer, 'remove'>;

/**
 * The server that all files of a run share. On a machine where it cannot start, the reason is said aloud and the suite
 * is to be skipped; where `CI` is set that is an error:
 *
 *     const postgres = await openPostgres();
 *     describe.skipIf(postgres.isMissing)('…', () => { … postgres.server … });
 */
export function openPostgres(): Promise<PostgresForTests<SharedServer>> {
  return forTests<SharedServer>(async () => {
    // A database of its own for nothing: what cannot be made is better known now than in the middle of a test.
    await ask('databases');
    return {
      createDatabase: () => ask('databases'),
      administer: async (sql) => void (await ask('statements', sql)),
    };
  });
}

/** A server of this test file's own, for a file that stops it; it goes with the file. See {@link openPostgres}. */
export function startPostgres(): Promise<PostgresForTests<OwnServer>> {
  return forTests<OwnServer>(async () => {
    const { startPostgresServer } = await import('./postgres-server.js');
    const server = await startPostgresServer();
    afterAll(() => server.remove());
    return server;
  });
}

async function ask(what: 'databases' | 'statements', body = ''): Promise<string> {
  const answer = await fetch(`${inject('postgresDesk')}/${what}`, { method: 'POST', body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function forTests<Server extends SharedServer>(
  open: () => Promise<Server>,
): Promise<PostgresForTests<Server>> {
  try {
    const server = await open();
    return {
      isMissing: false,
      server,
      engines: ['sqlite', 'postgres'],
      databaseOn: async (engine) =>
        engine === 'postgres' ? { databaseUrl: await server.createDatabase() } : {},
    };
  } catch (error) {
    if (process.env['CI']) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Tests on PostgreSQL are skipped, it cannot be started here: ${reason}\n`);
    const missing = (): never => {
      throw new Error(reason, { cause: error });
    };
    const server = new Proxy({}, { get: () => missing }) as Server;
    return { isMissing: true, server, engines: ['sqlite'], databaseOn: async () => ({}) };
  }
}
