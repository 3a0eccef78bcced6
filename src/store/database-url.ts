/** Which engine a `DATABASE_URL` names: `sqlite:<path>` or `postgres://…` (our choice). */
export type DatabaseTarget = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

/** Reads a database URL; its text may hold a password and never goes into the error. */
export function parseDatabaseUrl(databaseUrl: string): DatabaseTarget {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(databaseUrl)?.[1];
  // A database in memory would be another one for each thread, and gone after a crash.
  if (path !== undefined && path !== ':memory:') return { engine: 'sqlite', path };
  if (postgresAddress(databaseUrl)) return { engine: 'postgres', url: databaseUrl };
  throw new Error(
    'the database URL must be sqlite:<path> or postgres://<user>:<password>@<host>:<port>/<database>',
  );
}

/** A database as errors may name it: without its user and password. */
export function nameOfDatabase(target: DatabaseTarget): string {
  if (target.engine === 'sqlite') return target.path;
  const { host, pathname, searchParams } = postgresAddress(target.url)!;
  const place = searchParams.get('host') ?? host.replaceAll(/%2f/gi, '/');
  return `PostgreSQL at ${place}${pathname}`;
}

/** Null for what is no address of PostgreSQL. One with a user and no host, as libpq has it, is none to `URL`. */
export function postgresAddress(databaseUrl: string): URL | null {
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(databaseUrl)) return null;
  const withHost = databaseUrl.replace(/^([a-z]+:\/\/[^/?#]*@)\//, '$1localhost/');
  return URL.canParse(withHost) ? new URL(withHost) : null;
}
