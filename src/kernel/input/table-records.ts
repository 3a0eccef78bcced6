import { MAX_RECORD_CHARACTERS } from './table-text.js';

// Parses CSV tables of clients: batches of numbers and imports of suppressions.

/** One record of a CSV table: the cells of one line, or of several lines if a quoted cell contains line breaks. */
export interface TableRecord {
  /** The line on which the record ends, from 1. */
  line: number;
  /**
   * Cells without their quotes; of a flawed record, the cells before the flaw, or none if the flaw is on a later line.
   */
  cells: string[];
  /** The error of a record that cannot be parsed; null for a valid one. */
  flaw: string | null;
}

/** The format of a table. */
export interface TableDialect {
  /** One character. */
  delimiter: string;
  /**
   * Asked about each further line of a quoted cell: true if it must be a record of its own, such as one that begins
   * with a phone number. Then the quote was left open by mistake, and the lines are parsed as records.
   */
  isOwnRecord(line: string): boolean;
}

/** The error of a record with unbalanced quotes. */
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
 * Parses CSV so that an error costs one line: a line that cannot be parsed is a record with a flaw, and parsing goes on
 * with the next line. (CSV libraries lose every row after an open quote.) A cell may be quoted, with `""` for a quote
 * in it; a quote inside other text is text. Empty records are left out.
 */
export function* readTableRecords(text: string, dialect: TableDialect): Generator<TableRecord> {
  for (const record of readAllTableRecords(text, dialect)) if (!isEmptyRecord(record)) yield record;
}

/** True for a record without a flaw whose cells are all empty. */
export function isEmptyRecord({ cells, flaw }: TableRecord): boolean {
  return flaw === null && cells.every((cell) => cell.trim() === '');
}

/**
 * Like {@link readTableRecords}, but with the empty records, for callers that pause after a number of records: a table
 * of ten megabytes may have millions of empty lines.
 */
export function* readAllTableRecords(text: string, dialect: TableDialect): Generator<TableRecord> {
  // Behind a byte order mark.
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let lastFlawAt = -1;
  while (at < text.length) {
    // A record with a flaw on its line 9 costs line 1 only; lines 2 to 9 are parsed again, each as a single line. If
    // each of them could span lines up to the same flaw, parsing would take quadratic time: hours for a small table.
    const span = { start: at, firstLineEnd: lineEndFrom(text, at), maySpanLines: at > lastFlawAt };
    const { cells, end, breaks, flaw, stoppedAt } = readRecord(text, span, dialect);
    if (flaw !== null) lastFlawAt = Math.max(lastFlawAt, stoppedAt);
    line += breaks;
    yield { line, cells, flaw };
    line += 1;
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

/**
 * Reads one record.
 * @param span where the record begins, where its first line ends, and whether its cells may contain line breaks
 * @returns its cells, and the index of the line end behind it. `stoppedAt` is where the flaw is.
 */
function readRecord(
  text: string,
  { start, firstLineEnd, maySpanLines }: { start: number; firstLineEnd: number; maySpanLines: boolean },
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
    const read =
      quoted && (maySpanLines || quoted.breaks === 0) ? quoted : bareCell(text, at, lineEnd, dialect);
    if (read === null) return flawed(OPEN_QUOTE_MESSAGE, at);
    if (read.end - start > MAX_RECORD_CHARACTERS) return flawed(TOO_LONG_MESSAGE, at);
    cells.push(read.cell);
    if (read.breaks > 0) lineEnd = lineEndFrom(text, read.end);
    breaks += read.breaks;
    at = read.end;
    if (at >= lineEnd) return { cells, end: at, breaks, flaw: null, stoppedAt: at };
  }
}

/**
 * The quoted cell at an index. Null without a quote there, or if the quote was left open: it does not close at the end
 * of a cell, or closes too late, or a line in it must be a record of its own.
 */
function quotedCell(text: string, at: number, { delimiter, isOwnRecord }: TableDialect): ReadCell | null {
  const open = skipBlanks(text, at);
  if (text[open] !== '"') return null;
  let close = text.indexOf('"', open + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0 || close - open > MAX_RECORD_CHARACTERS) return null;
  const end = skipBlanks(text, close + 1);
  if (end < text.length && !text.startsWith(delimiter, end) && !LINE_END.test(text[end]!)) return null;
  const cell = text.slice(open + 1, close).replaceAll('""', '"');
  const [, ...furtherLines] = cell.split(LINE_END);
  const isLeftOpen = furtherLines.some((line) => isOwnRecord(line));
  return isLeftOpen ? null : { cell, end, breaks: furtherLines.length };
}

/** The cell at an index, read as plain text; null if it begins with a quote and has an odd number of quotes. */
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
