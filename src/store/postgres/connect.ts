import pg from 'pg';

/**
 * The number of connections of one process, by thread and use. `alone`: each runs one transaction at a time; `sharing`:
 * each runs many transactions in one database transaction (`shareCommits`). The reader has its own pool, so that reads
 * cannot block writes.
 */
export const CONNECTIONS = { writer: { alone: 6, sharing: 2 }, reader: { alone: 3, sharing: 1 } };

/**
 * Shorter than `ANSWER_TIMEOUT_MS`, so that the server ends a slow statement first: its error says more. Also the
 * timeout of an answer on the connection outside the pools.
 */
const STATEMENT_TIMEOUT_MS = 4_500;
/** How long a statement waits for a lock; transactions that share a commit wait less (`postgres-engine.ts`). */
const LOCK_TIMEOUT_MS = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** How long a transaction waits while none of its process reaches the server; then it is refused as `unavailable`. */
export const MAX_WAIT_FOR_SERVER_MS = 5_000;
/** Shorter than the wait above: an idle connection is closed in time for another pool or process that waits for one. */
const IDLE_TIMEOUT_MS = 3_000;
/** How long a statement waits for its answer, for a network that drops packets without an error. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Types that node-postgres returns as text by default. The values of this service all fit a number. */
const NUMBER_TYPES = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    NUMBER_TYPES.has(oid) ? Number : pg.types.getTypeParser(oid, format),
};

/** The function that reads a value of a type (an OID) from the server's text. */
export function parserOf(oid: number): (text: string) => unknown {
  return types.getTypeParser(oid, 'text') as (text: string) => unknown;
}

/** A pool for transactions, with a timeout on every wait. */
export function createPool(url: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: size,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    // The thread may end before its connections are closed: with an unreachable server, closing never ends.
    allowExitOnIdle: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  // A connection may end at any time, and an `error` event without a listener would end the thread. The pool replaces
  // the connection; a transaction on it gets the error from its next statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * A single connection without statement timeouts: for the start of a store thread, whose migrations may take long, and
 * for the inspection of a database.
 */
export async function connectForStart(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  return client;
}

/** A single connection outside the pools, with a timeout on every answer: for notifications. */
export async function connectAlone(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions(url), query_timeout: STATEMENT_TIMEOUT_MS });
  await client.connect();
  return client;
}

function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: withPlainTlsMode(url),
    types,
    application_name: 'callwright',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
}

/**
 * Replaces `sslmode=prefer|require|verify-ca` by `verify-full`. node-postgres 8 treats them as the same, but warns on
 * every thread that this will change. With `uselibpqcompat` in the URL they keep the meaning that libpq gives them.
 */
function withPlainTlsMode(url: string): string {
  if (url.includes('uselibpqcompat=')) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/, '$1verify-full');
}

/**
 * Refuses a server that confirms commits before they are on the disk, or a database that cannot store all of Unicode.
 */
export async function assertDurable(client: pg.ClientBase): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    if ((await show(client, setting)) === 'off') {
      throw new Error(
        `PostgreSQL runs with ${setting} = off: a power cut would lose calls that were accepted`,
      );
    }
  }
  const encoding = await show(client, 'server_encoding');
  if (encoding !== 'UTF8')
    throw new Error(`the PostgreSQL database must be encoded in UTF8, not ${encoding}`);
}

/** Refuses a database in which the user may not create tables: since PostgreSQL 15, only the owner may by default. */
export async function assertMayCreateTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ may: boolean | null }>(
    `select has_schema_privilege(current_schema(), 'create') as may`,
  );
  if (rows[0]?.may !== true)
    throw new Error('this user may not create tables there, as the owner of the database may');
}

/** A setting of the server, as `show` prints it. */
export async function show(client: pg.ClientBase, setting: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(`show ${setting}`);
  return rows[0]![setting]!;
}
