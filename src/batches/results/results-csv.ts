import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { Principal } from '#access/keys/principal.js';
import { toInstantOrNull } from '#kernel/time/clock.js';
import type { Store } from '#store/store.js';
import type { BatchRow } from '#batches/record/batch.js';
import { errorOf, recipientWireStatus } from '#batches/record/recipient-status.js';
import { resultUnits, type ResultRow } from './results-store.js';

/** Few enough to hold up neither this thread nor the store's. */
const ROWS_PER_PAGE = 200;
/**
 * Texts that a spreadsheet would run as a formula, also behind blanks and invisible characters: the Braille blank is
 * no white space to Unicode.
 */
const FORMULA =
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/u;
/** Many locales use the semicolon as separator. */
const TABLE = { quoted_match: /;/ };

/** The columns of a results table, with the source of each cell. */
const COLUMNS: Record<string, (row: ResultRow, batch: BatchRow) => string | number | null> = {
  call_id: (row) => row.call_id,
  last_call_id: (row) => (row.attempts === 0 ? null : row.last_call_id),
  // A plus sign and digits are no formula, and the table can be imported again.
  phone_number: (row) => row.phone_number,
  name: (row) => harmless(row.name),
  status: (row, batch) => recipientWireStatus({ ...row, shown_status: null }, batch),
  reason: (row) => row.reason,
  error: (row) => errorOf(row.reason),
  attempts: (row) => row.attempts,
  duration_seconds: (row) => row.duration_seconds,
  started_at: (row) => toInstantOrNull(row.last_started_at),
  answered_at: (row) => toInstantOrNull(row.last_answered_at),
  ended_at: (row) => toInstantOrNull(row.last_ended_at),
  ended_reason: (row) => row.last_ended_reason,
  intent: (row) => harmless(row.last_outcome?.intent ?? null),
  answers: (row) => answersCell(row.last_outcome?.answers ?? {}),
  summary: (row) => harmless(row.last_summary),
  cost_usd: (row) => row.last_cost_usd,
};

/** JSON, as the answered questions differ from call to call. */
export function answersCell(answers: Readonly<Record<string, string>>): string | null {
  return Object.keys(answers).length > 0 ? JSON.stringify(answers) : null;
}

/** Escapes a text that a spreadsheet would take for a formula. */
export function harmless(text: string | null): string | null {
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
    return store.read(resultUnits.page, { workspace, batchId, afterPosition, limit: ROWS_PER_PAGE });
  };
  const first = await pageAfter(-1);
  async function* lines() {
    yield stringify([Object.keys(COLUMNS)], TABLE);
    for (let page = first; page.rows.length > 0; page = await pageAfter(page.rows.at(-1)!.position)) {
      yield stringify(
        page.rows.map((row) => Object.values(COLUMNS).map((cellOf) => cellOf(row, page.batch))),
        TABLE,
      );
    }
  }
  return { batch: first.batch, table: Readable.from(lines()) };
}
