import { isUtf8 } from 'node:buffer';

/** Characters of one line; more is no table. */
export const LONGEST_RECORD = 128 * 1024;
/** What may stand between cells; where two are in the first line as often, the first. */
const DELIMITERS = [',', ';', '\t'];

/** What people call the column of phone numbers. */
export const NUMBER_HEADINGS = ['phone_number', 'phone', 'to', 'number'];

/** What is wrong with a table of which {@link tableInUtf8} makes nothing. */
export const NOT_UTF8 = 'is not UTF-8: save the table as CSV in UTF-8';

/**
 * A table as people save it, in UTF-8: what is UTF-8 already, or UTF-16 that begins with its mark, as spreadsheets
 * write "Unicode text". Null for anything else, of which only guesses could be made.
 */
export function tableInUtf8(bytes: Uint8Array): Buffer | null {
  const text = withoutUtf16(bytes);
  return isUtf8(text) ? text : null;
}

/**
 * What stands between the cells of a table, by its first line: a comma in a table of semicolons is text, and the other
 * way round.
 */
export function delimiterOf(text: string): string {
  const lines = text.slice(0, LONGEST_RECORD).split(/[\r\n]+/);
  const first = (lines.find((line) => line.trim() !== '') ?? '').replaceAll(/"[^"]*"/g, '');
  const countOf = (delimiter: string) => first.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => countOf(b) - countOf(a))[0]!;
}

/** Which column holds the phone numbers, by headings in lower case: of several the first name counts; -1 for none. */
export function numberColumnOf(headings: readonly string[]): number {
  const heading = NUMBER_HEADINGS.find((known) => headings.includes(known));
  return heading === undefined ? -1 : headings.indexOf(heading);
}

function withoutUtf16(bytes: Uint8Array): Buffer {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return Buffer.from(new TextDecoder('utf-16le').decode(bytes));
  if (first === 0xfe && second === 0xff) return Buffer.from(new TextDecoder('utf-16be').decode(bytes));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
