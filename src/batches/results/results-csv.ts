import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { Principal } from '#access/keys/principal.js';
import { toInstantOrNull } from '#kernel/time/clock.js';
import type { Store } from '#store/store.js';
import type { RejectedRow } from '#batches/record/rejected-rows.js';
import type { BatchRow } from '#batches/record/batch.js';
import { errorOf, recipientWireStatus } from '#batches/record/recipient-status.js';
import { resultTransactions, type ResultRow } from './results-store.js';

// The results of a batch as a CSV table, for `GET /api/batches/{batch_id}/results`.

/** How many rows one page has: few, so that neither this thread nor the store's thread is busy for long. */
const ROWS_PER_PAGE = 200;
/**
 * Texts that a spreadsheet would run as a formula, also behind blanks and invisible characters. The Braille blank
 * (U+2800) is listed because Unicode does not count it as white space.
 */
const FORMULA =
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/u;
/** CSV options: texts with a semicolon are quoted, as many locales use it as the separator. */
const TABLE = { quoted_match: /;/ };

/** The columns of a results table, with the source of each cell. */
const COLUMNS: Record<string, (row: ResultRow, batch: BatchRow) => string | number | null> = {
  call_id: (row) => row.call_id,
  last_call_id: (row) => (row.attempts === 0 ? null : row.last_call_id),
  // A plus sign and digits are no formula, and the table can be imported again.
  phone_number: (row) => row.phone_number,
  name: (row) => escapeFormula(row.name),
  // `shown_status: null`: the table shows the status itself, not the synonym that a client chose.
  status: (row, batch) => recipientWireStatus({ ...row, shown_status: null }, batch),
  reason: (row) => row.reason,
  error: (row) => errorOf(row.reason),
  attempts: (row) => row.attempts,
  duration_seconds: (row) => row.duration_seconds,
  started_at: (row) => toInstantOrNull(row.last_started_at),
  answered_at: (row) => toInstantOrNull(row.last_answered_at),
  ended_at: (row) => toInstantOrNull(row.last_ended_at),
  ended_reason: (row) => row.last_ended_reason,
  intent: (row) => escapeFormula(row.last_outcome?.intent ?? null),
  answers: (row) => answersCell(row.last_outcome?.answers ?? {}),
  summary: (row) => escapeFormula(row.last_summary),
  cost_usd: (row) => row.last_cost_usd,
};

/** The answers of a call as JSON, because the answered questions differ from call to call; null without answers. */
export function answersCell(answers: Readonly<Record<string, string>>): string | null {
  return Object.keys(answers).length > 0 ? JSON.stringify(answers) : null;
}

/** Escapes a text that a spreadsheet would take for a formula. */
export function escapeFormula(text: string | null): string | null {
  return text !== null && FORMULA.test(text) ? `'${text}` : text;
}

/**
 * Streams the results of a batch as CSV, page by page: a large batch is never whole in memory.
 * @throws Problem `batch_not_found`, before the first byte
 */
export async function resultsTable(
  store: Store,
  principal: Principal,
  batchId: string,
): Promise<{ batch: BatchRow; table: Readable }> {
  const pageAfter = (afterPosition: number) => {
    const { workspace } = principal;
    return store.read(resultTransactions.page, { workspace, batchId, afterPosition, limit: ROWS_PER_PAGE });
  };
  // -1: positions and slices begin at 0.
  const first = await pageAfter(-1);
  async function* pages() {
    for (let page = first; page.rows.length > 0; page = await pageAfter(page.rows.at(-1)!.position))
      yield page;
  }
  async function* rejectedRows() {
    let page = await store.read(resultTransactions.rejected, { batchId: first.batch.id, after: -1 });
    while (page !== null) {
      yield page.rows;
      page = await store.read(resultTransactions.rejected, { batchId: first.batch.id, after: page.slice });
    }
  }
  async function* lines() {
    // The columns for the data that was sent are cells only after all rows were read: the rows are read twice.
    const inputs = new InputColumns();
    for await (const { rows } of pages()) for (const row of rows) inputs.addNamesOf(row);
    for await (const rows of rejectedRows()) for (const row of rows) inputs.addNamesOf(row.input);
    yield stringify([[...Object.keys(COLUMNS), ...inputs.headings]], TABLE);
    for await (const { batch, rows } of pages()) {
      yield stringify(
        rows.map((row) => [
          ...Object.values(COLUMNS).map((cellOf) => cellOf(row, batch)),
          ...inputs.cellsOf(row),
        ]),
        TABLE,
      );
    }
    for await (const rows of rejectedRows())
      yield stringify(
        rows.map((row) => [...rejectedCells(row), ...inputs.cellsOf(row.input)]),
        TABLE,
      );
  }
  return { batch: first.batch, table: Readable.from(lines()) };
}

/** The result columns of a rejected row: its number and name as they were written, its position and the reason. */
function rejectedCells({ row, field, message, input }: RejectedRow): (string | null)[] {
  const cells: Record<string, string | null> = {
    phone_number: input.phone_number,
    name: input.name,
    status: 'rejected',
    error: `row ${row}: ${field} ${message}`,
  };
  return Object.keys(COLUMNS).map((column) => escapeFormula(cells[column] ?? null));
}

/** The data that was sent with a number. */
type InputData = Pick<ResultRow, 'customer_data' | 'metadata'>;

/** The columns of the data that were sent with the numbers: `customer_data`, and `metadata` as `metadata.<name>`. */
class InputColumns {
  readonly #data = new Set<string>();
  readonly #metadata = new Set<string>();

  /** Adds the names of a row's data to the columns. */
  addNamesOf({ customer_data: data, metadata }: InputData): void {
    // The name has a column of its own.
    for (const name of Object.keys(data)) if (name !== 'name') this.#data.add(name);
    for (const name of Object.keys(metadata)) this.#metadata.add(name);
  }

  /** The headings of these columns. */
  get headings(): string[] {
    const data = [...this.#data].map((name) =>
      Object.hasOwn(COLUMNS, name) ? `customer_data.${name}` : name,
    );
    return [...data, ...[...this.#metadata].map((name) => `metadata.${name}`)].map((name) =>
      escapeFormula(name)!,
    );
  }

  /** The cells of a row in the order of the headings. */
  cellsOf({ customer_data: data, metadata }: InputData): (string | null)[] {
    return [
      ...[...this.#data].map((name) => inputCell(data[name])),
      ...[...this.#metadata].map((name) => inputCell(metadata[name])),
    ];
  }
}

/** Texts as they are, anything else as JSON. */
function inputCell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return escapeFormula(typeof value === 'string' ? value : JSON.stringify(value));
}
