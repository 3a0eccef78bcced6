// Parses database URLs, for the setting `DATABASE_URL` and the command line.

/** The database that a `DATABASE_URL` names: `sqlite:<path>` or `postgres://…`. */
export type DatabaseTarget = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

/** Parses a database URL. @throws Error whose message does not contain the URL, which may hold a password */
export function parseDatabaseUrl(databaseUrl: string): DatabaseTarget {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(databaseUrl)?.[1];
  // `sqlite::memory:` is refused: each thread would have a database of its own, lost on a crash.
  if (path !== undefined && path !== ':memory:') return { engine: 'sqlite', path };
  if (postgresAddress(databaseUrl)) return { engine: 'postgres', url: databaseUrl };
  throw new Error(
    'the database URL must be sqlite:<path> or postgres://<user>:<password>@<host>:<port>/<database>',
  );
}

/** The name of a database for errors and logs: without user and password. */
export function nameOfDatabase(target: DatabaseTarget): string {
  if (target.engine === 'sqlite') return target.path;
  const { host, pathname, searchParams } = postgresAddress(target.url)!;
  const hostName = searchParams.get('host') ?? host.replaceAll(/%2f/gi, '/');
  return `PostgreSQL at ${hostName}${pathname}`;
}

/** Parses a PostgreSQL URL; null for any other. libpq allows a user without a host, which `URL` does not parse. */
export function postgresAddress(databaseUrl: string): URL | null {
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(databaseUrl)) return null;
  const withHost = databaseUrl.replace(/^([a-z]+:\/\/[^/?#]*@)\//, '$1localhost/');
  return URL.canParse(withHost) ? new URL(withHost) : null;
}
