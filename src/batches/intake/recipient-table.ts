import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { NO_NUL } from '../../kernel/json-scan.js';

/** Headings under which people keep numbers; the first that is there wins. */
const NUMBER_HEADINGS = ['phone_number', 'phone', 'to', 'number'];
/** Characters of one line; more is no table. */
const LONGEST_RECORD = 128 * 1024;
/** What may stand between cells; where two are in the heading as often, the first. */
const DELIMITERS = [',', ';', '\t'];

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
  const text = inUtf8(body);
  if (!isUtf8(text)) return { message: 'is not UTF-8: save the table as CSV in UTF-8' };
  // No database keeps it, and no table of people has it.
  if (text.includes(0)) return { message: NO_NUL };
  let records: { info: { lines: number }; record: string[] }[];
  try {
    records = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
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

function inUtf8(body: Uint8Array): Buffer {
  const [first, second] = body;
  if (first === 0xff && second === 0xfe) return Buffer.from(new TextDecoder('utf-16le').decode(body));
  if (first === 0xfe && second === 0xff) return Buffer.from(new TextDecoder('utf-16be').decode(body));
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** A comma in a table of semicolons is text, and the other way round. */
function delimiterOf(text: Buffer): string {
  const lines = text
    .subarray(0, LONGEST_RECORD)
    .toString()
    .split(/[\r\n]+/);
  const heading = (lines.find((line) => line.trim() !== '') ?? '').replaceAll(/"[^"]*"/g, '');
  const countOf = (delimiter: string) => heading.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => countOf(b) - countOf(a))[0]!;
}
