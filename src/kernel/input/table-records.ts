import { LONGEST_RECORD } from './table-text.js';

/** One record of a table: the cells of one line, or of several where a cell in quotes goes on over them. */
export interface TableRecord {
  /** The line on which it ends; the first line is 1. */
  line: number;
  /** Without the quotes around them; of a record with a flaw, those that stand before it on its first line. */
  cells: string[];
  /** Why it cannot be read; null where it can. */
  flaw: string | null;
}

/** How a table is written: what stands between its cells, and how a quote that was left open is found. */
export interface TableDialect {
  /** What stands between cells. */
  delimiter: string;
  /**
   * Whether a line, found within a cell in quotes, must be a record of its own. Then the quote is one that was left
   * open by mistake, and swallows nothing.
   */
  isOwnRecord(line: string): boolean;
}

/** What is wrong with a line that has a quote too many, or too few. */
const OPEN_QUOTE = 'has a quote that is not closed where its cell ends';
const TOO_LONG = `is longer than ${LONGEST_RECORD} characters`;
const LINE_END = /\r\n|[\r\n]/;

/** A cell as it was read, and where it ends: at what stands between cells, at the end of the line or of the text. */
interface ReadCell {
  cell: string;
  end: number;
  /** Ends of lines in it. */
  breaks: number;
}

/**
 * Reads CSV so that a slip of the pen costs one line and no more: a line that cannot be read is a record with a flaw,
 * and the next line begins anew. Our own, because the readers of CSV that we know lose every row behind an open quote.
 * A cell may stand in quotes, with `""` for a quote in it; a quote within other text is text. Lines that are empty, or
 * hold nothing but empty cells, are left out.
 */
export function* readTableRecords(text: string, dialect: TableDialect): Generator<TableRecord> {
  for (const record of readAllTableRecords(text, dialect)) if (!isEmpty(record)) yield record;
}

/** Whether a record holds nothing: its line is empty, or has nothing but empty cells. */
export function isEmpty({ cells, flaw }: TableRecord): boolean {
  return flaw === null && cells.every((cell) => cell.trim() === '');
}

/**
 * As {@link readTableRecords}, with what is empty: for whoever counts how long it is at it. A table of ten megabytes
 * may hold nothing but millions of empty lines.
 */
export function* readAllTableRecords(text: string, dialect: TableDialect): Generator<TableRecord> {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let brokenAt = -1;
  while (at < text.length) {
    // Behind the first line of a record that broke off, its further lines end where they end: if each of them went on
    // to the same place, a small table would keep us busy for hours.
    const span = { start: at, firstLineEnd: lineEndFrom(text, at), mayGoOn: at > brokenAt };
    const { cells, end, breaks, flaw, stoppedAt } = readRecord(text, span, dialect);
    if (flaw !== null) brokenAt = Math.max(brokenAt, stoppedAt);
    line += breaks;
    yield { line, cells, flaw };
    line += 1;
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

/** @param span where it begins, where its first line ends, and whether it may go on over further lines */
function readRecord(
  text: string,
  { start, firstLineEnd, mayGoOn }: { start: number; firstLineEnd: number; mayGoOn: boolean },
  dialect: TableDialect,
) {
  const cells: string[] = [];
  // The lines behind the first one are read anew.
  const flawed = (flaw: string, stoppedAt: number) => {
    return { cells: breaks === 0 ? cells : [], end: firstLineEnd, breaks: 0, flaw, stoppedAt };
  };
  let breaks = 0;
  let lineEnd = firstLineEnd;
  for (let at = start; ; at += 1) {
    const quoted = quotedCell(text, at, dialect);
    const read = quoted && (mayGoOn || quoted.breaks === 0) ? quoted : bareCell(text, at, lineEnd, dialect);
    if (read === null) return flawed(OPEN_QUOTE, at);
    if (read.end - start > LONGEST_RECORD) return flawed(TOO_LONG, at);
    cells.push(read.cell);
    if (read.breaks > 0) lineEnd = lineEndFrom(text, read.end);
    breaks += read.breaks;
    at = read.end;
    if (at >= lineEnd) return { cells, end: at, breaks, flaw: null, stoppedAt: at };
  }
}

/** Null where no cell in quotes begins, or where it does not end as one. */
function quotedCell(text: string, at: number, { delimiter, isOwnRecord }: TableDialect): ReadCell | null {
  const open = withoutBlanks(text, at);
  if (text[open] !== '"') return null;
  let close = text.indexOf('"', open + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0 || close - open > LONGEST_RECORD) return null;
  const end = withoutBlanks(text, close + 1);
  if (end < text.length && !text.startsWith(delimiter, end) && !LINE_END.test(text[end]!)) return null;
  const cell = text.slice(open + 1, close).replaceAll('""', '"');
  const [, ...further] = cell.split(LINE_END);
  return further.some((line) => isOwnRecord(line)) ? null : { cell, end, breaks: further.length };
}

/** Null for one that begins with a quote which belongs to none. */
function bareCell(text: string, at: number, lineEnd: number, { delimiter }: TableDialect): ReadCell | null {
  const rest = text.slice(at, lineEnd);
  const length = rest.indexOf(delimiter);
  const end = length < 0 ? lineEnd : at + length;
  const cell = text.slice(at, end).trim();
  const hasOpenQuote = cell.startsWith('"') && cell.split('"').length % 2 === 0;
  return hasOpenQuote ? null : { cell, end, breaks: 0 };
}

function withoutBlanks(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ') end += 1;
  return end;
}

function lineEndFrom(text: string, at: number): number {
  const ends = /[\r\n]/g;
  ends.lastIndex = at;
  return ends.exec(text)?.index ?? text.length;
}
