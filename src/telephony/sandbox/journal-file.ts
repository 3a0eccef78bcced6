import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toInstant, type Clock } from '#kernel/time/clock.js';
import { makeFolder } from '#kernel/system/folders.js';
import {
  lateError,
  type DialConditions,
  type CallJournal,
  type JournalCall,
  type JournalLine,
} from './call-journal.js';

/** The size of one read from the file. */
const READ_SIZE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** A call that waits to be recorded with the next batch. */
interface PendingDial {
  call: Omit<JournalCall, 'end'>;
  conditions: DialConditions;
  resolve(result: { call: JournalCall; isNew: boolean }): void;
  reject(error: Error): void;
}

/**
 * A call journal in an append-only file of JSON lines, which survives a restart and may be shared by processes. Waiting
 * entries are written and flushed together as a batch. Each batch first reads the lines that other processes have
 * appended. Used by the sandbox network if a file is set. (Two processes that dial one reference within the same few
 * milliseconds may both ring, as at two carriers.)
 */
export class JournalFile implements CallJournal {
  readonly #path: string;
  readonly #clock: Clock;
  /** The first call of each dial reference in the file. */
  readonly #calls = new Map<string, JournalCall>();
  readonly #buffer = Buffer.allocUnsafe(READ_SIZE_BYTES);
  #file: FileHandle | null = null;
  /** The length of the file up to which lines were read. */
  #readBytes = 0;
  /** The last line read so far, if another process is still writing it. */
  #unfinishedLine: Buffer = Buffer.alloc(0);
  #pendingDials: PendingDial[] = [];
  /** Ends of calls that wait to be recorded with the next batch. */
  #endings: JournalLine[] = [];
  /** Resolves when the batches and reads so far are done: they run one after the other. */
  #batches: Promise<void> = Promise.resolve();
  #isBatchScheduled = false;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  dial(
    call: Omit<JournalCall, 'end'>,
    conditions: DialConditions,
  ): Promise<{ call: JournalCall; isNew: boolean }> {
    return new Promise((resolve, reject) => {
      this.#pendingDials.push({ call, conditions, resolve, reject });
      this.#scheduleBatch();
    });
  }

  end(call: Omit<JournalCall, 'end'>, status: JournalLine['what']): void {
    this.#endings.push(this.#line(call, status));
    this.#scheduleBatch();
  }

  async find(dialRef: string): Promise<JournalCall | null> {
    const reading = this.#batches.then(() => this.#readNewLines());
    this.#batches = reading.catch(() => {});
    await reading;
    return this.#calls.get(dialRef) ?? null;
  }

  /** @throws Error of the file system if ends could not be written */
  async close(): Promise<void> {
    await this.#batches;
    await this.#append(this.#endings);
    this.#endings = [];
    await this.#file?.close();
    this.#file = null;
  }

  /** Schedules a batch after those in progress, unless one is scheduled already. */
  #scheduleBatch(): void {
    if (this.#isBatchScheduled) return;
    this.#isBatchScheduled = true;
    this.#batches = this.#batches.then(() => this.#runBatch());
  }

  /** Records the waiting calls and ends, then answers the calls. */
  async #runBatch(): Promise<void> {
    this.#isBatchScheduled = false;
    const waiting = this.#pendingDials;
    const endings = this.#endings;
    this.#pendingDials = [];
    this.#endings = [];
    try {
      await this.#readNewLines();
      const lines = [...endings];
      const answers = waiting.map((dial) => this.#recordDial(dial, lines));
      await this.#append(lines);
      for (const line of endings) this.#applyLine(line);
      for (const answer of answers) answer();
    } catch (error) {
      // Ends wait for the next batch. Calls are refused, but a call whose line may have been written stays known.
      this.#endings.unshift(...endings);
      for (const dial of waiting) dial.reject(error as Error);
    }
  }

  /** Decides on one call and adds its line. Returns the function that answers the request once the line is written. */
  #recordDial({ call, conditions, resolve, reject }: PendingDial, lines: JournalLine[]): () => void {
    const earlier = this.#calls.get(call.dialRef);
    if (earlier && !conditions.mayRepeat) return () => resolve({ call: earlier, isNew: false });
    // Checked last: the file may have been slow, or the process stalled.
    if (this.#clock.wallMs() >= conditions.sendBefore) return () => reject(lateError());
    const line = this.#line(call, 'dialled');
    lines.push(line);
    this.#applyLine(line);
    return () => resolve({ call: { end: null, ...call }, isNew: true });
  }

  /** Writes lines and flushes them to the disk. */
  async #append(lines: readonly JournalLine[]): Promise<void> {
    if (lines.length === 0) return;
    const file = await this.#openFile();
    const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await file.appendFile(text);
    await file.datasync();
    await this.#countAsRead(file, text.length);
  }

  /** Counts the lines that were just appended as read, unless another process may have written in between. */
  async #countAsRead(file: FileHandle, lengthBytes: number): Promise<void> {
    const endBytes = this.#readBytes + lengthBytes;
    if (this.#unfinishedLine.length === 0 && (await file.stat()).size === endBytes)
      this.#readBytes = endBytes;
  }

  /** Reads the lines that were appended since the last time; an incomplete line is kept for the next time. */
  async #readNewLines(): Promise<void> {
    const file = await this.#openFile();
    for (;;) {
      const { bytesRead } = await file.read(this.#buffer, 0, READ_SIZE_BYTES, this.#readBytes);
      if (bytesRead === 0) return;
      this.#readBytes += bytesRead;
      const text = Buffer.concat([this.#unfinishedLine, this.#buffer.subarray(0, bytesRead)]);
      const end = text.lastIndexOf(NEWLINE) + 1;
      this.#unfinishedLine = text.subarray(end);
      for (const line of text.toString('utf8', 0, end).split('\n')) this.#applyLine(parse(line));
    }
  }

  /** Applies a line to the calls in memory. */
  #applyLine(line: JournalLine | null): void {
    if (!line) return;
    const { dialRef, to, providerCallId, what } = line;
    const known = this.#calls.get(dialRef);
    if (!known)
      this.#calls.set(dialRef, { dialRef, to, providerCallId, end: what === 'dialled' ? null : what });
    else if (what !== 'dialled' && known.providerCallId === providerCallId) known.end = what;
  }

  #line({ dialRef, to, providerCallId }: Omit<JournalCall, 'end'>, what: JournalLine['what']): JournalLine {
    return { at: toInstant(this.#clock.wallMs()), dialRef, to, providerCallId, what };
  }

  /** The file, created with its folder if it is missing. */
  async #openFile(): Promise<FileHandle> {
    if (this.#file) return this.#file;
    makeFolder(dirname(this.#path));
    const file = await open(this.#path, 'a+');
    await finishLastLine(file);
    this.#file = file;
    return file;
  }
}

/** Ends the last line of the file: a killed process may have left half a line, to which nothing must be appended. */
async function finishLastLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  if (size === 0) return;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] !== NEWLINE) await file.appendFile('\n');
}

function parse(line: string): JournalLine | null {
  try {
    return JSON.parse(line) as JournalLine;
  } catch {
    // The empty text after the last line break, or half a line of a killed process. That was never flushed, so its call
    // was never accepted.
    return null;
  }
}
