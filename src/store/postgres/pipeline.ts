import type { Connection, PoolClient, Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import type { SqlRow, SqlValue } from '#store/transaction.js';
import { blankRow } from '#store/statements/blank-row.js';
import { parserOf } from './connect.js';

/** A statement with PostgreSQL's placeholders. */
export interface Statement {
  text: string;
  /** False for a select, which changes nothing. Read only for the statements inside a transaction (`PostgresTx`). */
  changes: boolean;
  /** The name under which each connection prepares it once; without a name it is prepared every time. */
  name?: string;
}

/** The result of a statement. */
export interface Answer {
  rows: SqlRow[];
  /** How many rows it changed or returned. */
  count: number;
}

/** The name of a column, and the function that reads its values from the server's text. */
type Column = readonly [name: string, read: (text: string) => unknown];

/** The shape of a statement's rows; empty until the server has described them. */
interface RowShape {
  columns: readonly Column[];
  /** A row of nulls with these columns, to copy. */
  blank: SqlRow;
}

/** The statements that the server keeps prepared on a connection, shared by the batches of the connection. */
interface PreparedStatements {
  /** The shapes of their rows, by the names of the statements. */
  prepared: Map<string, RowShape>;
  /** Names under which the server may or may not have prepared a statement, because the batch failed. */
  doubtful: Set<string>;
}

/** A statement that was requested, with the promise of its result. */
interface PendingStatement {
  statement: Statement;
  values: readonly SqlValue[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const ROLLBACK: Statement = { text: 'rollback', changes: false };

const pipelines = new WeakMap<PoolClient, Pipeline>();

/** The pipeline of a connection; always the same object, which knows the statements prepared on the connection. */
export function pipelineOf(client: PoolClient): Pipeline {
  let pipeline = pipelines.get(client);
  if (!pipeline) pipelines.set(client, (pipeline = new Pipeline(client)));
  return pipeline;
}

/**
 * Sends statements in batches: all statements that are requested in one turn of the event loop make one round trip,
 * because a round trip costs both sides more than most statements do. Requests while a batch is on its way wait for the
 * next batch.
 *
 * The first error ends a batch and the transaction: the statements behind it, and all others before the rollback, are
 * not run and fail with the same error.
 */
export class Pipeline {
  readonly #client: PoolClient;
  readonly #known: PreparedStatements = { prepared: new Map(), doubtful: new Set() };
  #waiting: PendingStatement[] = [];
  /** True while a batch is on its way. */
  #isBusy = false;
  #failure: { error: Error } | null = null;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** True from an error until the rollback. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Runs a statement after all that were requested before. */
  run(statement: Statement, values: readonly SqlValue[] = []): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, values, resolve, reject });
      if (this.#waiting.length === 1 && !this.#isBusy) setImmediate(() => this.#send());
    });
  }

  /**
   * Undoes the transaction, and lets statements run again. Rejects if a batch that is on its way fails first: call it
   * again then.
   */
  async rollback(): Promise<void> {
    this.#failure = null;
    await this.run(ROLLBACK);
  }

  /** Sends all waiting statements as one batch. */
  #send(): void {
    this.#isBusy = true;
    const statements = this.#waiting;
    this.#waiting = [];
    this.#client.query(new Batch(statements, this.#known, (failure) => this.#onBatchEnd(failure)));
  }

  /** After a failure, fails all waiting statements; otherwise sends the next batch. */
  #onBatchEnd(failure: { error: Error } | null): void {
    this.#isBusy = false;
    this.#failure = failure;
    if (failure) for (const { reject } of this.#waiting.splice(0)) reject(failure.error);
    else if (this.#waiting.length > 0) setImmediate(() => this.#send());
  }
}

/**
 * A batch in the extended query protocol: Bind and Execute for each statement, and one Sync at the end. A statement
 * that is new to the connection has Parse, Bind, Describe and Execute; Close comes first if its name may be taken.
 * node-postgres calls `submit` to send the batch, and the `handle…` methods as answers arrive, in the order of the
 * statements. Source: PostgreSQL documentation, "Message Flow", extended query and pipelining.
 */
class Batch implements Submittable {
  /** A function of node-postgres that cancels its timeout for the answer; called when the batch has ended. */
  callback: ((error?: unknown) => void) | undefined = undefined;
  readonly #statements: readonly PendingStatement[];
  readonly #known: PreparedStatements;
  readonly #onEnd: (failure: { error: Error } | null) => void;
  /** The shape of the rows of each statement, by its place in the batch. */
  readonly #shapes: RowShape[] = [];
  /** Names of the statements that this batch prepares, and their places in the batch. */
  readonly #preparedHere = new Map<string, number>();
  /** How many statements the server has answered: the next answer belongs to the statement at this place. */
  #answered = 0;
  /** The rows of that statement so far. */
  #rows: SqlRow[] = [];
  #hasEnded = false;

  constructor(
    statements: readonly PendingStatement[],
    known: PreparedStatements,
    onEnd: (failure: { error: Error } | null) => void,
  ) {
    this.#statements = statements;
    this.#known = known;
    this.#onEnd = onEnd;
  }

  /**
   * Writes all messages in one buffer: the system call that gathers hundreds of small buffers takes longer than all the
   * rest of a batch.
   */
  submit(connection: Connection): void {
    const messages = this.#statements.flatMap((pending, place) => this.#messagesOf(pending, place));
    messages.push(serialize.sync());
    connection.stream.write(Buffer.concat(messages));
  }

  /** The messages of a statement; notes its shape, and that it is prepared from now on. */
  #messagesOf({ statement, values }: PendingStatement, place: number): Buffer[] {
    const { prepared, doubtful } = this.#known;
    const { name = '', text } = statement;
    const knownShape = name === '' ? undefined : prepared.get(name);
    const shape = knownShape ?? { columns: [], blank: {} };
    this.#shapes.push(shape);
    const bind = serialize.bind({ statement: name, values: values as SqlValue[], valueMapper: asText });
    if (knownShape) return [bind, serialize.execute()];
    // Closing a name that the server does not have is no error; preparing a name that it has would be.
    const close = doubtful.delete(name) ? [serialize.close({ type: 'S', name })] : [];
    if (name !== '') {
      prepared.set(name, shape);
      this.#preparedHere.set(name, place);
    }
    const parse = serialize.parse({ name, text });
    return [...close, parse, bind, serialize.describe({ type: 'P' }), serialize.execute()];
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    if (this.#hasEnded) return;
    const shape = this.#shapes[this.#answered]!;
    shape.columns = fields.map(({ name, dataTypeID }) => [name, parserOf(dataTypeID)]);
    shape.blank = blankRow(fields.map(({ name }) => name));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#hasEnded) return;
    const { columns, blank } = this.#shapes[this.#answered]!;
    const row = { ...blank };
    for (let i = 0; i < fields.length; i += 1) {
      const text = fields[i]!;
      if (text === null) continue;
      const [name, read] = columns[i]!;
      row[name] = read(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.#hasEnded) return;
    const rows = this.#rows;
    this.#rows = [];
    const pending = this.#statements[this.#answered]!;
    this.#answered += 1;
    // The text is, for example, `INSERT 0 1`, `SELECT 5`, or `COMMIT`, which counts as 0.
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    pending.resolve({ rows, count });
  }

  handleReadyForQuery(): void {
    if (!this.#hasEnded) this.#end(null);
  }

  /**
   * Fails the statements without an answer: the server has refused one and runs none behind it, or it does not answer,
   * or the connection is lost. Answers that arrive later are ignored. A statement behind the refused one was not
   * prepared; the refused one may have been.
   */
  handleError(error: Error): void {
    if (this.#hasEnded) return;
    for (const [name, place] of this.#preparedHere) {
      if (place < this.#answered) continue;
      this.#known.prepared.delete(name);
      if (place === this.#answered) this.#known.doubtful.add(name);
    }
    for (const { reject } of this.#statements.slice(this.#answered)) reject(error);
    this.#end({ error });
  }

  #end(failure: { error: Error } | null): void {
    this.#hasEnded = true;
    this.callback?.(failure?.error);
    this.#onEnd(failure);
  }
}

function asText(value: SqlValue): string | null {
  return value === null ? null : String(value);
}
