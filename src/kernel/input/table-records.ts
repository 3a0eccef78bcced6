import { MAX_RECORD_CHARACTERS } from './table-text.js';

// Parses CSV tables of clients: batches of numbers and imports of suppressions.

/** One record of a CSV table: the cells of one line, or of several lines if a quoted cell contains line breaks. */
export interface TableRecord {
  /** The line on which the record ends, from 1. */
  line: number;
  /** Cells without their quotes; of a record with a flaw, the cells before the flaw on its first line. */
  cells: string[];
  /** The error of a record that cannot be parsed; null for a valid one. */
  flaw: string | null;
}

/** The format of a table. */
export interface TableDialect {
  /** One character. */
  delimiter: string;
  /**
   * True for a line, inside a quoted cell, that must be a record: the quote was left open by mistake, and the lines
   * after it are parsed as records.
   */
  isOwnRecord(line: string): boolean;
}

/** The error of a line with unbalanced quotes. */
const OPEN_QUOTE_MESSAGE = 'has a quote that is not closed where its cell ends';
const TOO_LONG_MESSAGE = `is longer than ${MAX_RECORD_CHARACTERS} characters`;
const LINE_END = /\r\n|[\r\n]/;

/** A parsed cell. */
interface ReadCell {
  cell: string;
  /** Index of the delimiter, line end or end of text after the cell. */
  end: number;
  /** Line breaks in the cell. */
  breaks: number;
}

/**
 * Parses CSV line by line, so that an error costs one line: a line that cannot be parsed is a record with a flaw, and
 * parsing goes on with the next line. CSV libraries lose every row after an open quote. A cell may be quoted, with `""`
 * for a quote in it; a quote inside other text is text. Empty records are left out.
 */
export function* readTableRecords(text: string, dialect: TableDialect): Generator<TableRecord> {
  for (const record of readAllTableRecords(text, dialect)) if (!isEmpty(record)) yield record;
}

/** True for a record without a flaw whose cells are all empty. */
export function isEmpty({ cells, flaw }: TableRecord): boolean {
  return flaw === null && cells.every((cell) => cell.trim() === '');
}

/**
 * Like {@link readTableRecords}, but with the empty records, for callers that pause after a number of records: a table
 * of ten megabytes may have millions of empty lines.
 */
export function* readAllTableRecords(text: string, dialect: TableDialect): Generator<TableRecord> {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let brokenAt = -1;
  while (at < text.length) {
    // The lines after a flawed record's first are parsed as single lines up to its flaw. If each could again span lines
    // up to the same flaw, parsing would take quadratic time: hours for a small table.
    const span = { start: at, firstLineEnd: lineEndFrom(text, at), mayGoOn: at > brokenAt };
    const { cells, end, breaks, flaw, stoppedAt } = readRecord(text, span, dialect);
    if (flaw !== null) brokenAt = Math.max(brokenAt, stoppedAt);
    line += breaks;
    yield { line, cells, flaw };
    line += 1;
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

/** @param span where the record begins, where its first line ends, and whether its cells may contain line breaks */
function readRecord(
  text: string,
  { start, firstLineEnd, mayGoOn }: { start: number; firstLineEnd: number; mayGoOn: boolean },
  dialect: TableDialect,
) {
  const cells: string[] = [];
  // A flawed record ends with its first line: the lines after it are parsed again.
  const flawed = (flaw: string, stoppedAt: number) => {
    return { cells: breaks === 0 ? cells : [], end: firstLineEnd, breaks: 0, flaw, stoppedAt };
  };
  let breaks = 0;
  let lineEnd = firstLineEnd;
  for (let at = start; ; at += 1) {
    const quoted = quotedCell(text, at, dialect);
    const read = quoted && (mayGoOn || quoted.breaks === 0) ? quoted : bareCell(text, at, lineEnd, dialect);
    if (read === null) return flawed(OPEN_QUOTE_MESSAGE, at);
    if (read.end - start > MAX_RECORD_CHARACTERS) return flawed(TOO_LONG_MESSAGE, at);
    cells.push(read.cell);
    if (read.breaks > 0) lineEnd = lineEndFrom(text, read.end);
    breaks += read.breaks;
    at = read.end;
    if (at >= lineEnd) return { cells, end: at, breaks, flaw: null, stoppedAt: at };
  }
}

/** The quoted cell at an index; null where there is none, or its quotes do not close. */
function quotedCell(text: string, at: number, { delimiter, isOwnRecord }: TableDialect): ReadCell | null {
  const open = skipBlanks(text, at);
  if (text[open] !== '"') return null;
  let close = text.indexOf('"', open + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0 || close - open > MAX_RECORD_CHARACTERS) return null;
  const end = skipBlanks(text, close + 1);
  if (end < text.length && !text.startsWith(delimiter, end) && !LINE_END.test(text[end]!)) return null;
  const cell = text.slice(open + 1, close).replaceAll('""', '"');
  const [, ...further] = cell.split(LINE_END);
  return further.some((line) => isOwnRecord(line)) ? null : { cell, end, breaks: further.length };
}

/** The unquoted cell at an index; null where it begins with a quote that does not close. */
function bareCell(text: string, at: number, lineEnd: number, { delimiter }: TableDialect): ReadCell | null {
  const rest = text.slice(at, lineEnd);
  const length = rest.indexOf(delimiter);
  const end = length < 0 ? lineEnd : at + length;
  const cell = text.slice(at, end).trim();
  const hasOpenQuote = cell.startsWith('"') && cell.split('"').length % 2 === 0;
  return hasOpenQuote ? null : { cell, end, breaks: 0 };
}

/** The index after the blanks at `at`. */
function skipBlanks(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ') end += 1;
  return end;
}

/** The index of the next line end, or of the end of the text. */
function lineEndFrom(text: string, at: number): number {
  const ends = /[\r\n]/g;
  ends.lastIndex = at;
  return ends.exec(text)?.index ?? text.length;
}
