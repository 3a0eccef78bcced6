import { setImmediate as nextTurn } from 'node:timers/promises';
import { fieldProblem, type Problem } from '#kernel/errors/errors.js';
import { NO_NUL } from '#kernel/input/json-scan.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { isEmpty, readAllTableRecords } from '#kernel/input/table-records.js';
import {
  delimiterOf,
  NOT_UTF8,
  NUMBER_HEADINGS,
  numberColumnOf,
  tableInUtf8,
} from '#kernel/input/table-text.js';
import type { ImportRow } from './import-row.js';

/** The columns of a table without a head, in this order. */
const COLUMNS = ['phone_number', 'reason', 'note', 'expires_at'];
const NO_DIGIT = /\D/g;
/** No phone number has fewer. */
const FEWEST_DIGITS = 6;
/** Lines that are read at once, empty ones among them; between them others have their turn. */
const LINES_PER_TURN = 500;

/** By which name the sender of a table knows it: it is the whole body, or the file of a form. */
export type TableField = 'body' | 'file';

/** The text of a table. @throws Problem when it is not in UTF-8, or UTF-16 with its mark */
export function suppressionTableText(bytes: Uint8Array, field: TableField): string {
  const text = tableInUtf8(bytes);
  if (text === null) throw badTable(field, NOT_UTF8);
  return text.toString();
}

/**
 * Reads a list as people have it: a table with a head (CSV; commas, semicolons or tabs), or nothing but numbers, one on
 * each line. Columns that are not ours are left out; a line that cannot be read is a row with a flaw. A text in
 * quotes may go on over lines, unless one of them may hold a number: an entry that is swallowed by the one before is
 * somebody who is called.
 * @throws Problem when there is nothing in it, no column of numbers, a first line that cannot be read, or what no
 *   database keeps
 */
export async function* readSuppressionTable(text: string, field: TableField): AsyncGenerator<ImportRow[]> {
  if (text.includes('\0')) throw badTable(field, NO_NUL);
  let names: readonly (string | undefined)[] | null = null;
  let rows: ImportRow[] = [];
  let lines = 0;
  for (const record of readAllTableRecords(text, {
    delimiter: delimiterOf(text),
    isOwnRecord: (inner) => inner.replaceAll(NO_DIGIT, '').length >= FEWEST_DIGITS,
  })) {
    lines += 1;
    if (lines % LINES_PER_TURN === 0) {
      yield rows;
      rows = [];
      await nextTurn();
    }
    if (isEmpty(record)) continue;
    const { line, cells, flaw } = record;
    if (names === null) {
      if (flaw !== null) throw badTable(field, `cannot be read, since line ${line} ${flaw}`);
      const head = namesOf(cells, field);
      names = head ?? COLUMNS;
      if (head) continue;
    }
    rows.push({ row: line, cells: cellsOf(cells, names), ...(flaw === null ? {} : { flaw }) });
  }
  if (names === null) throw badTable(field, 'is empty');
  yield rows;
}

/** The names of the columns; null where the first line is a number already. */
function namesOf(first: readonly string[], field: TableField): (string | undefined)[] | null {
  const words = first.map((name) => name.trim().toLowerCase());
  const numberAt = numberColumnOf(words);
  if (numberAt >= 0) {
    return words.map((name, at) => (at === numberAt ? 'phone_number' : COLUMNS.find((own) => own === name)));
  }
  if (readPhoneNumber(words[0] ?? '') !== null) return null;
  throw badTable(field, `has no column ${NUMBER_HEADINGS.join(', ')} in its first line`);
}

function cellsOf(record: readonly string[], names: readonly (string | undefined)[]): ImportRow['cells'] {
  const cells: Record<string, string> = {};
  for (let at = 0; at < record.length; at += 1) {
    const name = names[at];
    if (name !== undefined) cells[name] = record[at]!.trim();
  }
  return cells;
}

function badTable(field: TableField, message: string): Problem {
  return fieldProblem('validation_error', field, message, 'invalid_table');
}
