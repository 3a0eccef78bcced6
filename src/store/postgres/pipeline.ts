import type { Connection, PoolClient, Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import type { SqlRow, SqlValue } from '#store/transaction.js';
import { blankRow } from '#store/statements/blank-row.js';
import { parserOf } from './connect.js';

/** A statement with PostgreSQL's placeholders. */
export interface Statement {
  text: string;
  /** Whether it may change rows. */
  changes: boolean;
  /** The name under which each connection prepares it once; without a name it is prepared every time. */
  name?: string;
}

/** What a statement came to. */
export interface Answer {
  rows: SqlRow[];
  /** How many rows it changed or returned. */
  count: number;
}

/** How the rows of a statement are read. */
type Column = readonly [name: string, read: (text: string) => unknown];

/** A statement that this connection has prepared; its columns are known once the server has described them. */
interface Prepared {
  columns: readonly Column[];
  blank: SqlRow;
}

/** What the batches of a connection have in common. */
interface Known {
  prepared: Map<string, Prepared>;
  /** Names under which the server may or may not have prepared a statement, because the batch failed. */
  doubtful: Set<string>;
}

/** A statement on its way, with the promise of whoever waits for it. */
interface Sent {
  statement: Statement;
  values: readonly SqlValue[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const ROLLBACK: Statement = { text: 'rollback', changes: false };

const pipelines = new WeakMap<PoolClient, Pipeline>();

/** The pipeline of a connection: a statement stays prepared for as long as the connection lives. */
export function pipelineOf(client: PoolClient): Pipeline {
  let pipeline = pipelines.get(client);
  if (!pipeline) pipelines.set(client, (pipeline = new Pipeline(client)));
  return pipeline;
}

/**
 * Sends statements in batches: those that are asked for in one turn of the event loop make one round trip. A round trip
 * costs both sides more than most statements do.
 *
 * The first error ends a batch and the transaction: the statements behind it, and all until the rollback, are not run
 * and fail with the same error.
 */
export class Pipeline {
  readonly #client: PoolClient;
  readonly #known: Known = { prepared: new Map(), doubtful: new Set() };
  #waiting: Sent[] = [];
  #isBusy = false;
  #failure: { error: Error } | null = null;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** True from an error until the rollback. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Runs a statement after all those that were asked for before. */
  run(statement: Statement, values: readonly SqlValue[] = []): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, values, resolve, reject });
      if (this.#waiting.length === 1 && !this.#isBusy) setImmediate(() => this.#send());
    });
  }

  /** Undoes the transaction, and lets statements run again. */
  async rollback(): Promise<void> {
    this.#failure = null;
    await this.run(ROLLBACK);
  }

  #send(): void {
    this.#isBusy = true;
    const sent = this.#waiting;
    this.#waiting = [];
    this.#client.query(new Batch(sent, this.#known, (failure) => this.#onOver(failure)));
  }

  #onOver(failure: { error: Error } | null): void {
    this.#isBusy = false;
    this.#failure = failure;
    if (failure) for (const { reject } of this.#waiting.splice(0)) reject(failure.error);
    else if (this.#waiting.length > 0) setImmediate(() => this.#send());
  }
}

/**
 * A batch in the extended query protocol: for each statement Bind and Execute (and Parse and Describe where it is new
 * to the connection), and one Sync at the end. node-postgres calls the methods as answers arrive.
 * Source: PostgreSQL documentation, "Message Flow", extended query and pipelining.
 */
class Batch implements Submittable {
  /** Set by node-postgres to its timer of the answer; called at the end. */
  callback: ((error?: unknown) => void) | undefined = undefined;
  readonly #sent: readonly Sent[];
  readonly #known: Known;
  readonly #onOver: (failure: { error: Error } | null) => void;
  /** How the rows of each statement are read, by its place in the batch. */
  readonly #shapes: Prepared[] = [];
  /** Names that were prepared by this batch, and by which of its statements. */
  readonly #preparedHere = new Map<string, number>();
  #answered = 0;
  #rows: SqlRow[] = [];
  #isOver = false;

  constructor(sent: readonly Sent[], known: Known, onOver: (failure: { error: Error } | null) => void) {
    this.#sent = sent;
    this.#known = known;
    this.#onOver = onOver;
  }

  /** In one write: the system call that gathers hundreds of small buffers takes longer than all the rest of a batch. */
  submit(connection: Connection): void {
    const messages = this.#sent.flatMap((sent, place) => this.#messagesOf(sent, place));
    messages.push(serialize.sync());
    connection.stream.write(Buffer.concat(messages));
  }

  #messagesOf({ statement, values }: Sent, place: number): Buffer[] {
    const { prepared, doubtful } = this.#known;
    const { name = '', text } = statement;
    const known = name === '' ? undefined : prepared.get(name);
    const shape = known ?? { columns: [], blank: {} };
    this.#shapes.push(shape);
    const bound = serialize.bind({ statement: name, values: values as SqlValue[], valueMapper: asText });
    if (known) return [bound, serialize.execute()];
    const closed = doubtful.delete(name) ? [serialize.close({ type: 'S', name })] : [];
    if (name !== '') {
      prepared.set(name, shape);
      this.#preparedHere.set(name, place);
    }
    const parsed = serialize.parse({ name, text });
    return [...closed, parsed, bound, serialize.describe({ type: 'P' }), serialize.execute()];
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    if (this.#isOver) return;
    const shape = this.#shapes[this.#answered]!;
    shape.columns = fields.map(({ name, dataTypeID }) => [name, parserOf(dataTypeID)]);
    shape.blank = blankRow(fields.map(({ name }) => name));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#isOver) return;
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
    if (this.#isOver) return;
    const rows = this.#rows;
    this.#rows = [];
    const sent = this.#sent[this.#answered]!;
    this.#answered += 1;
    // Such as `INSERT 0 1`, `SELECT 5`, and `COMMIT` without a number.
    const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    sent.resolve({ rows, count });
  }

  handleReadyForQuery(): void {
    if (!this.#isOver) this.#end(null);
  }

  /**
   * The server runs no further statement of the batch; or it does not answer, or the connection is lost. Answers that
   * come after all are not looked at.
   */
  handleError(error: Error): void {
    if (this.#isOver) return;
    for (const [name, place] of this.#preparedHere) {
      if (place < this.#answered) continue;
      this.#known.prepared.delete(name);
      if (place === this.#answered) this.#known.doubtful.add(name);
    }
    for (const { reject } of this.#sent.slice(this.#answered)) reject(error);
    this.#end({ error });
  }

  #end(failure: { error: Error } | null): void {
    this.#isOver = true;
    this.callback?.(failure?.error);
    this.#onOver(failure);
  }
}

function asText(value: SqlValue): string | null {
  return value === null ? null : String(value);
}
