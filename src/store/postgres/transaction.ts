import type { PoolClient, QueryResult } from 'pg';
import type { Increment } from '#metrics/counters.js';
import { checkValues, type Dialect, type SqlRow, type SqlValue, type Tx } from '#store/transaction.js';

const dialect: Dialect = {
  engine: 'postgres',
  skipLocked: ' for update skip locked',
  forUpdate: ' for update',
  clock: 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint',
};

/** Bounds the prepared statements of a connection: statements beyond this number are not prepared. */
const STATEMENTS_KEPT = 500;

interface Statement {
  text: string;
  /** The name of the prepared statement on each connection. */
  name?: string;
}

/** Cache of SQL texts with PostgreSQL's placeholders. */
export class StatementTexts {
  readonly #statements = new Map<string, Statement>();

  get(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const text = numberPlaceholders(sql);
    if (this.#statements.size >= STATEMENTS_KEPT) return { text };
    const statement = { text, name: `callwright_${this.#statements.size + 1}` };
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** A transaction on one connection. */
export class PostgresTx implements Tx {
  readonly dialect = dialect;
  /** Counters to publish after the commit. */
  readonly increments: Increment[] = [];
  readonly #client: PoolClient;
  readonly #texts: StatementTexts;
  #ended = false;

  constructor(client: PoolClient, texts: StatementTexts) {
    this.#client = client;
    this.#texts = texts;
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
    return (await this.#query(sql, values)).rowCount ?? 0;
  }

  count(increment: Increment): void {
    this.increments.push(increment);
  }

  #query(sql: string, values: SqlValue[]): Promise<QueryResult<SqlRow>> {
    if (this.#ended) throw new Error('a statement was run after its transaction had ended');
    checkValues(values);
    return this.#client.query<SqlRow>({ values, ...this.#texts.get(sql) });
  }
}

/** A quoted text, a quoted name, a comment, or a placeholder; only placeholders are replaced. */
const PLACEHOLDER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?/g;

/** Replaces `?` placeholders by PostgreSQL's `$1`, `$2` and so on. */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replace(PLACEHOLDER, (match) => {
    if (match !== '?') return match;
    count += 1;
    return `$${count}`;
  });
}
