import { Readable } from 'node:stream';
import { parse, type CsvError } from 'csv-parse';
import { z } from 'zod';
import { fieldProblem, type Problem } from '../kernel/errors.js';
import { NO_NUL } from '../kernel/json-scan.js';
import { readPhoneNumber } from '../kernel/phone-number.js';
import { delimiterOf, NOT_UTF8, tableInUtf8 } from '../kernel/table-text.js';
import type { ImportRow } from './suppression-import.js';

/** What the column of the numbers may be called. */
const NUMBER_COLUMNS = ['phone_number', 'phone', 'to', 'number'];
/** The columns of a table without a head, in this order. */
const COLUMNS = ['phone_number', 'reason', 'note', 'expires_at'];
/** Read at once; between the pieces others have their turn. */
const PIECE_CHARACTERS = 16 * 1024;

const Line = z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) });

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
 * each line. Columns that are not ours are left out; a line that cannot be read is a row with a flaw.
 * @throws Problem when there is nothing in it, no column of numbers, or what no database keeps
 */
export async function* readSuppressionTable(text: string, field: TableField): AsyncGenerator<ImportRow> {
  if (text.includes('\0')) throw badTable(field, NO_NUL);
  const flawed: ImportRow[] = [];
  const parser = parse({
    bom: true,
    info: true,
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) flawed.push({ row: lineOf(error), cells: {}, flaw: `cannot be read: ${error.code}` });
      return undefined;
    },
  });
  let names: readonly (string | undefined)[] | null = null;
  for await (const parsed of Readable.from(piecesOf(text)).pipe(parser)) {
    const { record, info } = Line.parse(parsed);
    yield* flawed.splice(0);
    if (names === null) {
      const head = namesOf(record, field);
      names = head ?? COLUMNS;
      if (head) continue;
    }
    yield { row: info.lines, cells: cellsOf(record, names) };
  }
  if (names === null && flawed.length === 0) throw badTable(field, 'is empty');
  yield* flawed;
}

/** The names of the columns; null where the first line is a number already. */
function namesOf(first: readonly string[], field: TableField): (string | undefined)[] | null {
  const words = first.map((name) => name.trim().toLowerCase());
  const numberAt = words.findIndex((name) => NUMBER_COLUMNS.includes(name));
  if (numberAt >= 0) {
    return words.map((name, at) => (at === numberAt ? 'phone_number' : COLUMNS.find((own) => own === name)));
  }
  if (readPhoneNumber(words[0] ?? '') !== null) return null;
  throw badTable(field, `has no column ${NUMBER_COLUMNS.join(', ')} in its first line`);
}

function cellsOf(record: readonly string[], names: readonly (string | undefined)[]): ImportRow['cells'] {
  return Object.fromEntries(
    record.flatMap((cell, at) => (names[at] === undefined ? [] : [[names[at], cell.trim()]])),
  );
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) yield text.slice(at, at + PIECE_CHARACTERS);
}

function lineOf(error: CsvError): number {
  const line: unknown = error['lines'];
  return typeof line === 'number' ? line : 0;
}

function badTable(field: TableField, message: string): Problem {
  return fieldProblem('validation_error', field, message, 'invalid_table');
}
