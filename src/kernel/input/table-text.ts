import { isUtf8 } from 'node:buffer';

// Decodes CSV tables of clients, and recognises their delimiter and the column of phone numbers.

/** The longest record (row) of a table, in characters. */
export const MAX_RECORD_CHARACTERS = 128 * 1024;
/** Known delimiters, in order of preference. */
const DELIMITERS = [',', ';', '\t'];

/** Known headings of the column of phone numbers, in order of preference. */
export const NUMBER_HEADINGS = ['phone_number', 'phone', 'to', 'number'];

/** The error message for a table that {@link tableInUtf8} cannot decode. */
export const NOT_UTF8 = 'is not UTF-8: save the table as CSV in UTF-8';

/**
 * The bytes of a table in UTF-8: as they are, or converted from UTF-16 with a byte order mark (the "Unicode text" of
 * spreadsheets). Null for another encoding.
 */
export function tableInUtf8(bytes: Uint8Array): Buffer | null {
  const converted = fromUtf16(bytes);
  return isUtf8(converted) ? converted : null;
}

/**
 * The delimiter of a table: the most frequent one, outside quotes, in its first line that is not blank. Without any, a
 * comma.
 */
export function delimiterOf(text: string): string {
  const lines = text.slice(0, MAX_RECORD_CHARACTERS).split(/[\r\n]+/);
  const first = (lines.find((line) => line.trim() !== '') ?? '').replaceAll(/"[^"]*"/g, '');
  const countOf = (delimiter: string) => first.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => countOf(b) - countOf(a))[0]!;
}

/** Index of the column of phone numbers, or -1. @param headings in lower case */
export function numberColumnOf(headings: readonly string[]): number {
  const heading = NUMBER_HEADINGS.find((known) => headings.includes(known));
  return heading === undefined ? -1 : headings.indexOf(heading);
}

/** Converts UTF-16, which its byte-order mark shows, to UTF-8; returns other bytes unchanged. */
function fromUtf16(bytes: Uint8Array): Buffer {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return Buffer.from(new TextDecoder('utf-16le').decode(bytes));
  if (first === 0xfe && second === 0xff) return Buffer.from(new TextDecoder('utf-16be').decode(bytes));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
