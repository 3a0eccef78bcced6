import { CsvError, parse } from 'csv-parse/sync';
import { NO_NUL } from '../../kernel/json-scan.js';
import { delimiterOf, LONGEST_RECORD, NOT_UTF8, tableInUtf8 } from '../../kernel/table-text.js';

/** Headings under which people keep numbers; the first that is there wins. */
const NUMBER_HEADINGS = ['phone_number', 'phone', 'to', 'number'];

/** A table of callees, read. */
export interface RecipientTable {
  recipients: { phone_number: string; name?: string; customer_data: Record<string, string> }[];
  /** Headings besides number and name. */
  columns: string[];
  /** On which line of the file each of them ends; the heading is line 1. */
  lines: number[];
}

/**
 * Reads a CSV with a heading line: one column of numbers (`phone_number`, `phone`, `to` or `number`), perhaps `name`;
 * all others become `customer_data`. Comma, semicolon or tab stands between cells, as in the heading. UTF-8, or UTF-16
 * that begins with its mark, as spreadsheets write "Unicode text".
 */
export function readTable(body: Uint8Array): RecipientTable | { message: string } {
  const text = tableInUtf8(body);
  if (text === null) return { message: NOT_UTF8 };
  // No database keeps it, and no table of people has it.
  if (text.includes(0)) return { message: NO_NUL };
  let records: { info: { lines: number }; record: string[] }[];
  try {
    records = parse(text, {
      bom: true,
      delimiter: delimiterOf(text.toString('utf8', 0, LONGEST_RECORD)),
      skip_empty_lines: true,
      // What spreadsheets put after the last row.
      skip_records_with_empty_values: true,
      relax_column_count: true,
      trim: true,
      info: true,
      max_record_size: LONGEST_RECORD,
    }) as unknown as typeof records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { message: `is not a table that can be read: ${error.message}` };
  }
  const [top, ...rows] = records;
  const headings = top?.record ?? [];
  const names = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  const numberColumn = names.findIndex(
    (name) => name === NUMBER_HEADINGS.find((known) => names.includes(known)),
  );
  if (numberColumn < 0)
    return { message: `must have a column with one of these names: ${NUMBER_HEADINGS.join(', ')}` };
  const nameColumn = names.indexOf('name');
  const others = headings.flatMap((heading, index) =>
    heading === '' || index === numberColumn || index === nameColumn ? [] : [{ heading, index }],
  );
  return {
    columns: others.map(({ heading }) => heading),
    lines: rows.map(({ info }) => info.lines),
    recipients: rows.map(({ record: row }) => ({
      phone_number: row[numberColumn] ?? '',
      ...(row[nameColumn] ? { name: row[nameColumn] } : {}),
      customer_data: Object.fromEntries(
        others.flatMap(({ heading, index }) => (row[index] ? [[heading, row[index]]] : [])),
      ),
    })),
  };
}
