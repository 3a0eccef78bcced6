import { existsSync, openSync, readFileSync, readSync } from 'node:fs';
import type { JournalLine } from '#telephony/sandbox/call-journal.js';

const DIALLED = '"what":"dialled"';

/** Counts the phones that a sandbox network made ring, reading only what is new in its journal. */
export function createCounter(path: string): () => number {
  const buffer = Buffer.alloc(4 * 1024 * 1024);
  let file: number | null = null;
  let readBytes = 0;
  let count = 0;
  let rest = '';
  return () => {
    if (!existsSync(path)) return 0;
    file ??= openSync(path, 'r');
    const size = readSync(file, buffer, 0, buffer.length, readBytes);
    readBytes += size;
    const text = rest + buffer.toString('latin1', 0, size);
    const end = text.lastIndexOf('\n') + 1;
    count += text.slice(0, end).split(DIALLED).length - 1;
    rest = text.slice(end);
    return count;
  };
}

/** The dialled calls of a journal. */
export function dialledLines(path: string): JournalLine[] {
  if (!existsSync(path)) return [];
  const whole = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as JournalLine).filter(({ what }) => what === 'dialled');
}
