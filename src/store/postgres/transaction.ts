import type { PoolClient, QueryResult } from 'pg';
import type { Tally } from '#metrics/tallies.js';
import { checkValues } from '#store/statements/sql-values.js';
import type { Dialect, SqlRow, SqlValue, Tx } from '#store/unit.js';
import { numberPlaceholders } from './placeholders.js';

const dialect: Dialect = {
  engine: 'postgres',
  skipLocked: ' for update skip locked',
  forUpdate: ' for update',
  clock: 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint',
};

/** Beyond this many texts a statement is no longer kept prepared: somebody builds texts without end. */
const STATEMENTS_KEPT = 500;

interface Statement {
  text: string;
  /** The name under which each connection keeps it prepared. */
  name?: string;
}

/** PostgreSQL's form of each SQL text, worked out once. */
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

/** A transaction on one connection, as one unit sees it. */
export class PostgresTx implements Tx {
  readonly dialect = dialect;
  /** What this unit has counted. */
  readonly tallies: Tally[] = [];
  readonly #client: PoolClient;
  readonly #texts: StatementTexts;
  #ended = false;

  constructor(client: PoolClient, texts: StatementTexts) {
    this.#client = client;
    this.#texts = texts;
  }

  /** The unit has returned; a statement that it forgot to await must not slip into another transaction. */
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

  tally(tally: Tally): void {
    this.tallies.push(tally);
  }

  #query(sql: string, values: SqlValue[]): Promise<QueryResult<SqlRow>> {
    if (this.#ended) throw new Error('a unit used its transaction after it had returned');
    checkValues(values);
    return this.#client.query<SqlRow>({ values, ...this.#texts.get(sql) });
  }
}
