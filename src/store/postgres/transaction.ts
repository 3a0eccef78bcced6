import type { Increment } from '#metrics/counters.js';
import { checkValues, type Dialect, type SqlRow, type SqlValue, type Tx } from '#store/transaction.js';
import type { LockTable } from './lock-table.js';
import type { Answer, Pipeline, Statement } from './pipeline.js';

const dialect: Dialect = {
  engine: 'postgres',
  skipLocked: ' for update skip locked',
  forUpdate: ' for update',
  clock: 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint',
};

/** The first 500 texts get a name, under which each connection keeps them prepared; others are parsed at each use. */
const MAX_NAMED_STATEMENTS = 500;

/**
 * Makes the {@link Statement} of an SQL text: with PostgreSQL's placeholders, and a name to prepare it by. Keeps up to
 * {@link MAX_NAMED_STATEMENTS}.
 */
export class NamedStatements {
  readonly #statements = new Map<string, Statement>();

  get(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const text = numberPlaceholders(sql);
    const changes = !/^\s*select\b/i.test(sql);
    if (this.#statements.size >= MAX_NAMED_STATEMENTS) return { text, changes };
    const statement = { text, changes, name: `callwright_${this.#statements.size + 1}` };
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Takes an advisory lock of the database, by the hash of a name, until the transaction ends. */
const TAKE_LOCK = 'select pg_advisory_xact_lock(hashtextextended(?, 0))';

/**
 * The {@link Tx} of a transaction on one connection: alone, or one of several in a shared database transaction
 * (`runInOneTransaction`).
 */
export class PostgresTx implements Tx {
  readonly dialect = dialect;
  /** Counters to publish after the commit. */
  readonly increments: Increment[] = [];
  readonly #pipeline: Pipeline;
  readonly #statementCache: NamedStatements;
  readonly #locks: LockTable<PostgresTx> | null;
  #hasWritten = false;
  #ended = false;
  #failure: { error: unknown } | null = null;

  /** @param locks the locks between the transactions that share its commit; null if it runs alone */
  constructor(pipeline: Pipeline, statements: NamedStatements, locks: LockTable<PostgresTx> | null = null) {
    this.#pipeline = pipeline;
    this.#statementCache = statements;
    this.#locks = locks;
  }

  /** True once a statement was requested that may change something: any but a `select`. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** The first error of a statement that was posted; null without any so far. */
  get failure(): { error: unknown } | null {
    return this.#failure;
  }

  /** Refuses further statements: one that was not awaited must not run in the next transaction of the connection. */
  end(): void {
    this.#ended = true;
  }

  async all(sql: string, ...values: SqlValue[]): Promise<SqlRow[]> {
    return (await this.#query(sql, values)).rows;
  }

  async get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined> {
    return (await this.#query(sql, values)).rows[0];
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    return (await this.#query(sql, values)).count;
  }

  post(sql: string, ...values: SqlValue[]): void {
    this.#query(sql, values).catch((error: unknown) => (this.#failure ??= { error }));
  }

  async lock(name: string): Promise<void> {
    await this.#locks?.take(this, name);
    // Not awaited: the server runs the statements behind this one only after the lock was granted.
    this.post(TAKE_LOCK, name);
  }

  count(increment: Increment): void {
    this.increments.push(increment);
  }

  #query(sql: string, values: readonly SqlValue[]): Promise<Answer> {
    if (this.#ended) throw new Error('a statement was run after its transaction had ended');
    checkValues(values);
    const statement = this.#statementCache.get(sql);
    this.#hasWritten ||= statement.changes;
    return this.#pipeline.run(statement, values);
  }
}

/** A placeholder, or a quoted text, quoted name or comment, in which a `?` is no placeholder. */
const PLACEHOLDER_OR_SKIPPED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?/g;

/** Replaces `?` placeholders by PostgreSQL's `$1`, `$2` and so on. */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replace(PLACEHOLDER_OR_SKIPPED, (match) => {
    if (match !== '?') return match;
    count += 1;
    return `$${count}`;
  });
}
