/** Which engine a `DATABASE_URL` names: `sqlite:<path>` or `postgres://…` (our choice). */
export type DatabaseTarget = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string };

/** Reads a database URL; its text may hold a password and never goes into the error. */
export function parseDatabaseUrl(databaseUrl: string): DatabaseTarget {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(databaseUrl)?.[1];
  // A database in memory would be another one for each thread, and gone after a crash.
  if (path !== undefined && path !== ':memory:') return { engine: 'sqlite', path };
  if (/^postgres(?:ql)?:\/\//.test(databaseUrl)) return { engine: 'postgres', url: databaseUrl };
  throw new Error(
    'the database URL must be sqlite:<path> or postgres://<user>:<password>@<host>:<port>/<database>',
  );
}

/** A database as errors may name it: without its user and password. */
export function nameOfDatabase(target: DatabaseTarget): string {
  if (target.engine === 'sqlite') return target.path;
  if (!URL.canParse(target.url)) return 'PostgreSQL';
  const { host, pathname } = new URL(target.url);
  return `PostgreSQL at ${host}${pathname}`;
}
