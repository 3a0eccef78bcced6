import { setImmediate as nextTurn } from 'node:timers/promises';
import { fieldProblem, type Problem } from '#kernel/errors/errors.js';
import { NO_NUL } from '#kernel/input/json-scan.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { isEmptyRecord, readAllTableRecords } from '#kernel/input/table-records.js';
import {
  delimiterOf,
  NOT_UTF8,
  NUMBER_HEADINGS,
  numberColumnOf,
  tableInUtf8,
} from '#kernel/input/table-text.js';
import type { ImportRow } from './import-row.js';

// Parses tables of suppressions (CSV, or a list of numbers) for the import route.

/** The columns of a table without a header, in order. */
const COLUMNS = ['phone_number', 'reason', 'note', 'expires_at'];
const NON_DIGITS = /\D/g;
/** A line with at least this many digits may hold a phone number, and so may be a row of its own. */
const MIN_DIGITS = 6;
/** How many lines (empty lines count) are parsed before other work of the event loop gets its turn. */
const LINES_PER_TURN = 500;

/** The field for errors of a table: the whole body, or the file of a form. */
export type TableField = 'body' | 'file';

/** Decodes a table. @throws Problem unless it is UTF-8, or UTF-16 with a byte order mark */
export function suppressionTableText(bytes: Uint8Array, field: TableField): string {
  const text = tableInUtf8(bytes);
  if (text === null) throw badTableProblem(field, NOT_UTF8);
  return text.toString();
}

/**
 * Parses a table with a header (CSV with commas, semicolons or tabs), or without one: then the columns are `COLUMNS`,
 * and a plain list has only the first. Unknown columns are ignored; a line that cannot be parsed is a row with a flaw.
 * A quoted cell may contain line breaks, but not lines that may hold a number: a row swallowed by an open quote would
 * let its number be called. Yields batches of rows, between which other work of the event loop gets its turn.
 * @throws Problem for an empty table, a table without a column of numbers, an invalid first line, or NUL
 */
export async function* readSuppressionTable(text: string, field: TableField): AsyncGenerator<ImportRow[]> {
  if (text.includes('\0')) throw badTableProblem(field, NO_NUL);
  let columns: readonly (string | undefined)[] | null = null;
  let rows: ImportRow[] = [];
  let lines = 0;
  for (const record of readAllTableRecords(text, {
    delimiter: delimiterOf(text),
    isOwnRecord: (inner) => inner.replaceAll(NON_DIGITS, '').length >= MIN_DIGITS,
  })) {
    lines += 1;
    if (lines % LINES_PER_TURN === 0) {
      yield rows;
      rows = [];
      await nextTurn();
    }
    if (isEmptyRecord(record)) continue;
    const { line, cells, flaw } = record;
    if (columns === null) {
      if (flaw !== null) throw badTableProblem(field, `cannot be read, since line ${line} ${flaw}`);
      const header = namesOf(cells, field);
      columns = header ?? COLUMNS;
      if (header) continue;
    }
    rows.push({ row: line, cells: cellsOf(cells, columns), ...(flaw === null ? {} : { flaw }) });
  }
  if (columns === null) throw badTableProblem(field, 'is empty');
  yield rows;
}

/** The names of the columns from a header; null if the first line begins with a number, and so is a row. */
function namesOf(first: readonly string[], field: TableField): (string | undefined)[] | null {
  const words = first.map((name) => name.trim().toLowerCase());
  const numberAt = numberColumnOf(words);
  if (numberAt >= 0) {
    return words.map((name, at) =>
      at === numberAt ? 'phone_number' : COLUMNS.find((known) => known === name),
    );
  }
  if (readPhoneNumber(words[0] ?? '') !== null) return null;
  throw badTableProblem(field, `has no column ${NUMBER_HEADINGS.join(', ')} in its first line`);
}

/** The trimmed cells of a record by the name of their column. */
function cellsOf(record: readonly string[], columns: readonly (string | undefined)[]): ImportRow['cells'] {
  const cells: Record<string, string> = {};
  for (let at = 0; at < record.length; at += 1) {
    const name = columns[at];
    if (name !== undefined) cells[name] = record[at]!.trim();
  }
  return cells;
}

function badTableProblem(field: TableField, message: string): Problem {
  return fieldProblem('validation_error', field, message, 'invalid_table');
}
