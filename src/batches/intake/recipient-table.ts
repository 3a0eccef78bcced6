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
import { MAX_BATCH_NUMBERS } from '#batches/record/batch.js';

// Parses the CSV table of a batch import, on the batch thread; `readIntake` checks its rows afterwards.

/** The prefix of headings whose cells become metadata. */
const METADATA = 'metadata.';

/** A row of the table, by the fields of a recipient. */
interface TableRecipient {
  phone_number: string;
  name?: string;
  customer_data: Record<string, string>;
  metadata?: Record<string, string>;
}

/** A parsed table of recipients, read no further than one row beyond the limit of a batch. */
export interface RecipientTable {
  recipients: TableRecipient[];
  /** Headings other than number, name and metadata. */
  columns: string[];
  /** The place of each recipient. */
  places: RowPlace[];
  /** Unreadable rows, with the reason and the cells before the flaw. */
  flaws: (RowPlace & { flaw: string; recipient: TableRecipient })[];
}

/** The place of a row: 1 is the first row of data, and empty rows are not counted. */
export interface RowPlace {
  row: number;
  /** The line of the file on which it ends; the heading is line 1. */
  line: number;
}

/**
 * Parses a CSV with a heading line: one column of numbers (`phone_number`, `phone`, `to` or `number`), perhaps `name`;
 * `metadata.order_id` becomes `order_id` of `metadata`, and all other columns become `customer_data`. Cells are
 * separated by comma, semicolon or tab, as in the heading. UTF-8, or UTF-16 with a byte-order mark, as spreadsheets
 * write "Unicode text". A quoted text may span lines, unless one of these lines has a number in the number column: an
 * open quote must not swallow recipients.
 */
export function readTable(body: Uint8Array, region?: CountryCode): RecipientTable | { message: string } {
  const bytes = tableInUtf8(body);
  if (bytes === null) return { message: NOT_UTF8 };
  // Databases cannot store U+0000.
  if (bytes.includes(0)) return { message: NO_NUL };
  const text = bytes.toString();
  const delimiter = delimiterOf(text);
  // Negative until the heading is read: then any cell may hold the number.
  let numberColumn = -1;
  /** True for a line with a phone number, which is a record of its own even within an open quote. */
  const isOwnRecord = (line: string) => {
    const cells = line.split(delimiter).map((cell) => cell.replaceAll('"', ''));
    const numbers = numberColumn < 0 ? cells : cells.slice(numberColumn, numberColumn + 1);
    return numbers.some((cell) => readPhoneNumber(cell, region) !== null);
  };
  const records = readTableRecords(text, { delimiter, isOwnRecord });
  const { value: headingRecord } = records.next() as { value?: TableRecord };
  if (headingRecord?.flaw)
    return { message: `is not a table that can be read: line ${headingRecord.line} ${headingRecord.flaw}` };
  const headings = (headingRecord?.cells ?? []).map((heading) => heading.trim());
  const names = headings.map((heading) => heading.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  numberColumn = numberColumnOf(names);
  if (numberColumn < 0)
    return { message: `must have a column with one of these names: ${NUMBER_HEADINGS.join(', ')}` };
  return toRecipients(records, headings, { numberColumn, nameColumn: names.indexOf('name') });
}

/** The recipients of a table, by its headings: number, name (if `nameColumn` is not −1), metadata and data. */
function toRecipients(
  records: Iterable<TableRecord>,
  headings: readonly string[],
  { numberColumn, nameColumn }: { numberColumn: number; nameColumn: number },
): RecipientTable {
  const otherColumns = headings.flatMap((heading, index) =>
    heading === '' || index === numberColumn || index === nameColumn ? [] : [{ heading, index }],
  );
  const isMetadata = ({ heading }: { heading: string }) => heading.toLowerCase().startsWith(METADATA);
  const dataColumns = otherColumns.filter((column) => !isMetadata(column));
  const metadataColumns = otherColumns
    .filter((column) => isMetadata(column))
    .map(({ heading, index }) => ({ heading: heading.slice(METADATA.length), index }));
  const columns = dataColumns.map(({ heading }) => heading);
  const table: RecipientTable = { columns, places: [], flaws: [], recipients: [] };
  let row = 0;
  for (const { line, cells, flaw } of records) {
    if (table.recipients.length + table.flaws.length > MAX_BATCH_NUMBERS) break;
    row += 1;
    const recipient = {
      phone_number: cells[numberColumn] ?? '',
      ...(cells[nameColumn] ? { name: cells[nameColumn] } : {}),
      customer_data: valuesOf(dataColumns, cells),
      ...(metadataColumns.length > 0 ? { metadata: valuesOf(metadataColumns, cells) } : {}),
    };
    if (flaw !== null) {
      table.flaws.push({ row, line, flaw, recipient });
      continue;
    }
    table.places.push({ row, line });
    table.recipients.push(recipient);
  }
  return table;
}

/** The cells of some columns by heading; empty cells are left out. */
function valuesOf(
  columns: readonly { heading: string; index: number }[],
  cells: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ heading, index }) => (cells[index] ? [[heading, cells[index]]] : [])),
  );
}
