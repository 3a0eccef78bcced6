import type { SqlValue } from '#store/transaction.js';

const FIRST_BYTES = 64 * 1_024;
/** A larger buffer is not kept for the next batch. */
const MOST_KEPT_BYTES = 1_024 * 1_024;

const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);
const DESCRIBE = 'D'.charCodeAt(0);
const EXECUTE = 'E'.charCodeAt(0);
const CLOSE = 'C'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);

/**
 * Writes the messages of a batch into one buffer. node-postgres writes each of them by itself, and the system call that
 * gathers hundreds of small buffers takes longer than all the rest of a batch.
 * Source: PostgreSQL documentation, "Message Formats".
 */
export class MessageWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #end = 0;

  /** Prepares a statement, under a name or as the unnamed one. */
  parse(name: string, text: string): void {
    const start = this.#begin(PARSE);
    this.#cString(name);
    this.#cString(text);
    this.#int16(0);
    this.#finish(start);
  }

  /** Binds values, all of them as text, to a prepared statement; its rows are to come as text, too. */
  bind(name: string, values: readonly SqlValue[]): void {
    const start = this.#begin(BIND);
    this.#cString('');
    this.#cString(name);
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0);
    this.#finish(start);
  }

  /** Asks for the columns of what was bound. */
  describe(): void {
    const start = this.#begin(DESCRIBE);
    this.#byte('P'.charCodeAt(0));
    this.#cString('');
    this.#finish(start);
  }

  /** Runs what was bound, to its last row. */
  execute(): void {
    const start = this.#begin(EXECUTE);
    this.#cString('');
    this.#int32(0);
    this.#finish(start);
  }

  /** Drops a prepared statement; no error where there is none. */
  close(name: string): void {
    const start = this.#begin(CLOSE);
    this.#byte('S'.charCodeAt(0));
    this.#cString(name);
    this.#finish(start);
  }

  /** Ends a batch: the server answers that it is ready. */
  sync(): void {
    this.#finish(this.#begin(SYNC));
  }

  /** All that was written since the last time. The bytes are valid until the next message is written. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#end);
    this.#end = 0;
    if (this.#buffer.length > MOST_KEPT_BYTES) this.#buffer = Buffer.allocUnsafe(FIRST_BYTES);
    return taken;
  }

  #begin(code: number): number {
    this.#byte(code);
    this.#int32(0);
    return this.#end - 4;
  }

  /** The length counts itself and what follows, and not the code. */
  #finish(start: number): void {
    this.#buffer.writeInt32BE(this.#end - start, start);
  }

  #value(value: SqlValue): void {
    if (value === null) return this.#int32(-1);
    this.#int32(0);
    const start = this.#end;
    this.#text(typeof value === 'string' ? value : String(value));
    this.#buffer.writeInt32BE(this.#end - start, start - 4);
  }

  #cString(text: string): void {
    this.#text(text);
    this.#byte(0);
  }

  #text(text: string): void {
    // No character of UTF-16 takes more than three bytes in UTF-8.
    this.#reserve(text.length * 3);
    this.#end += this.#buffer.write(text, this.#end, 'utf8');
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#end] = value;
    this.#end += 1;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#end = this.#buffer.writeInt16BE(value, this.#end);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}
