import pg from 'pg';

/** Connections of one process; each of them serves one unit at a time. Reads cannot crowd out writes. */
export const POOL_SIZES = { writer: 8, reader: 4 };

const STATEMENT_TIMEOUT_MS = 5_000;
const LOCK_TIMEOUT_MS = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * How long a unit waits while none of its process comes to have a connection, be it that the server allows no more of
 * them or that it cannot be reached. One that nobody uses is given up sooner, so that whoever waits, in another process
 * or pool, comes to have it.
 */
export const LONGEST_UNREACHED_MS = 5_000;
const IDLE_TIMEOUT_MS = 3_000;
/** For a network that swallows packets: later than the server's own timeouts, which say more. */
const ANSWER_TIMEOUT_MS = 10_000;

/** `int8` and `numeric` come as texts by default; counts, sums and instants are numbers for us. */
const NUMBER_TYPES = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    NUMBER_TYPES.has(oid) ? Number : pg.types.getTypeParser(oid, format),
};

/** The pool for units, with bounds on everything that could wait for ever. */
export function createPool(url: string, size: number): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    max: size,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    // A server that cannot be reached does not see a connection off: the thread ends without waiting for that.
    allowExitOnIdle: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  // A connection may end at any time, idle or between two statements of a unit, and an error that nobody listens to
  // would end the thread. The pool makes a new one when it needs one; the unit is told by its next statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** A single connection for the start, without bounds: a migration may take its time. */
export async function connectForStart(url: string): Promise<pg.Client> {
  const client = new pg.Client(connectionOptions(url));
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
 * To the driver of today, all of these verify the server's certificate and name; only by its own word does it say so
 * without a warning on every thread, and go on doing so. Whoever wants what libpq makes of them adds `uselibpqcompat`.
 */
function withPlainTlsMode(url: string): string {
  if (url.includes('uselibpqcompat=')) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/, '$1verify-full');
}

/** Refuses a server that would answer before a commit is safe, or that cannot keep every text. */
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

/** Refuses a database in which the user may not make tables: since PostgreSQL 15, only its owner may. */
export async function assertMayCreateTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ may: boolean | null }>(
    `select has_schema_privilege(current_schema(), 'create') as may`,
  );
  if (rows[0]?.may !== true)
    throw new Error('this user may not make tables there, as the owner of the database may');
}

/** What a setting of the server is, in the words of PostgreSQL. */
export async function show(client: pg.ClientBase, setting: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(`show ${setting}`);
  return rows[0]![setting]!;
}
