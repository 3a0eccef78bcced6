import type { CountryCode } from 'libphonenumber-js';
import { NO_NUL } from '#kernel/input/json-scan.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { readTableRecords, type TableRecord } from '#kernel/input/table-records.js';
import {
  delimiterOf,
  NOT_UTF8,
  NUMBER_HEADINGS,
  numberColumnOf,
  tableInUtf8,
} from '#kernel/input/table-text.js';
import { LARGEST_BATCH } from '#batches/record/batch.js';

/** A parsed table of recipients, up to the first line beyond the largest batch. */
export interface RecipientTable {
  recipients: { phone_number: string; name?: string; customer_data: Record<string, string> }[];
  /** Headings besides number and name. */
  columns: string[];
  /** Line of the file on which each recipient ends; the heading is line 1. */
  lines: number[];
  /** Unreadable lines and their errors. */
  flaws: { line: number; flaw: string }[];
}

/**
 * Parses a CSV with a heading line: one column of numbers (`phone_number`, `phone`, `to` or `number`), optionally
 * `name`; all others become `customer_data`. Cells are separated by comma, semicolon or tab, as in the heading. UTF-8,
 * or UTF-16 with a byte-order mark, as spreadsheets write "Unicode text". A quoted text may span lines, unless one of
 * them has a number in the number column: an open quote must not swallow recipients.
 */
export function readTable(body: Uint8Array, region?: CountryCode): RecipientTable | { message: string } {
  const bytes = tableInUtf8(body);
  if (bytes === null) return { message: NOT_UTF8 };
  // Databases cannot store U+0000.
  if (bytes.includes(0)) return { message: NO_NUL };
  const text = bytes.toString();
  const delimiter = delimiterOf(text);
  let numberColumn = -1;
  const isOwnRecord = (line: string) => {
    const cells = line.split(delimiter).map((cell) => cell.replaceAll('"', ''));
    const numbers = numberColumn < 0 ? cells : cells.slice(numberColumn, numberColumn + 1);
    return numbers.some((cell) => readPhoneNumber(cell, region) !== null);
  };
  const records = readTableRecords(text, { delimiter, isOwnRecord });
  const { value: top } = records.next() as { value?: TableRecord };
  if (top?.flaw) return { message: `is not a table that can be read: line ${top.line} ${top.flaw}` };
  const headings = (top?.cells ?? []).map((heading) => heading.trim());
  const names = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  numberColumn = numberColumnOf(names);
  if (numberColumn < 0)
    return { message: `must have a column with one of these names: ${NUMBER_HEADINGS.join(', ')}` };
  return rowsOf(records, headings, { numberColumn, nameColumn: names.indexOf('name') });
}

function rowsOf(
  records: Iterable<TableRecord>,
  headings: readonly string[],
  { numberColumn, nameColumn }: { numberColumn: number; nameColumn: number },
): RecipientTable {
  const others = headings.flatMap((heading, index) =>
    heading === '' || index === numberColumn || index === nameColumn ? [] : [{ heading, index }],
  );
  const columns = others.map(({ heading }) => heading);
  const table: RecipientTable = { columns, lines: [], flaws: [], recipients: [] };
  for (const { line, cells, flaw } of records) {
    if (table.recipients.length + table.flaws.length > LARGEST_BATCH) break;
    if (flaw !== null) {
      table.flaws.push({ line, flaw });
      continue;
    }
    table.lines.push(line);
    table.recipients.push({
      phone_number: cells[numberColumn] ?? '',
      ...(cells[nameColumn] ? { name: cells[nameColumn] } : {}),
      customer_data: Object.fromEntries(
        others.flatMap(({ heading, index }) => (cells[index] ? [[heading, cells[index]]] : [])),
      ),
    });
  }
  return table;
}
