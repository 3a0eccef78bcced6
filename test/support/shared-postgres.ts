import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { PostgresServer } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL at which test files ask for databases of the run's PostgreSQL server: see `openPostgres`. */
    postgresDesk: string;
  }
}

/** A database with the whole schema and no rows. */
async function migrated(postgres: PostgresServer): Promise<string> {
  const { migrate } = await import('./fresh-database.js');
  const databaseUrl = await postgres.createDatabase();
  await migrate(databaseUrl);
  return databaseUrl;
}

/**
 * One PostgreSQL server for all files of a run, started on first use: a server per file would take a second each.
 * `POST /databases` returns the URL of an empty database, `POST /migrated` that of one with the whole schema: a copy,
 * since the migrations take longer than most tests. `POST /statements` executes its body.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<PostgresServer> | null = null;
  let migrating: Promise<string> | null = null;
  const answer = async (request: IncomingMessage): Promise<string> => {
    starting ??= import('./postgres-server.js').then(({ startPostgresServer }) => startPostgresServer());
    const postgres = await starting;
    if (request.url === '/databases') return postgres.createDatabase();
    if (request.url === '/migrated') return postgres.createDatabase(await (migrating ??= migrated(postgres)));
    await postgres.administer(Buffer.concat(await request.toArray()).toString());
    return '';
  };
  const desk = createServer((request, response) => {
    void answer(request).then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve));
  project.provide('postgresDesk', `http://127.0.0.1:${(desk.address() as AddressInfo).port}`);
  return async () => {
    desk.closeAllConnections();
    desk.close();
    const postgres: PostgresServer | null = await (starting ?? Promise.resolve(null)).catch(() => null);
    await postgres?.remove();
  };
}
