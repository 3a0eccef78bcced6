import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OWN_USER_ONLY } from '#kernel/system/folders.js';
import { Semaphore } from '#kernel/work/semaphore.js';

/** The rest of the service needs the file threads of the process too (there are four). */
const WRITES_AT_ONCE = 2;
/** Size of one buffer, reused: a second of wide-band stereo audio. */
const PIECE_BYTES = 64 * 1024;
const KEPT_PIECES = 32;

/** Writes the files of many calls in the background: in order within a file, a few at once in total. */
export interface DiskWriter {
  /** Creates a new, empty file and its folders. An existing file is an error: recordings are never overwritten. */
  create(path: string): GrowingFile;
}

/** A file being written. Steps run in the order of the calls; after the first failure none runs. */
export interface GrowingFile {
  /** Appends bytes, which are copied before this returns. */
  append(bytes: Uint8Array): Promise<void>;
  /** Leaves `sizeBytes` empty (zero); later bytes follow behind them. */
  skip(sizeBytes: number): Promise<void>;
  /**
   * Waits for all earlier steps, runs `touch` on the open file (also after a failure, to repair the file) and closes
   * it.
   */
  finish<Result>(touch: (file: FileHandle) => Promise<Result>): Promise<Result>;
}

/** One for all recordings of a process: its limit of concurrent writes keeps the thread pool free for others. */
export function createDiskWriter(): DiskWriter {
  const semaphore = new Semaphore(WRITES_AT_ONCE);
  const pieces = createPieces();
  return { create: (path) => new QueuedFile(path, semaphore, pieces) };
}

class QueuedFile implements GrowingFile {
  readonly #semaphore: Semaphore;
  readonly #pieces: Pieces;
  #file: Promise<FileHandle>;
  /** Settles with the last step; rejected after the first failure. */
  #tail: Promise<unknown>;
  #sizeBytes = 0;

  constructor(path: string, semaphore: Semaphore, pieces: Pieces) {
    this.#semaphore = semaphore;
    this.#pieces = pieces;
    this.#file = semaphore.run(async () => {
      await mkdir(dirname(path), { recursive: true, mode: OWN_USER_ONLY });
      return open(path, 'wx+');
    });
    this.#tail = this.#file;
    ignoreRejection(this.#file);
  }

  append(bytes: Uint8Array): Promise<void> {
    const piece = this.#pieces.take(bytes);
    const sizeBytes = bytes.length;
    const write = async () => {
      await writeAll(await this.#file, piece, { sizeBytes, position: this.#sizeBytes });
      this.#sizeBytes += sizeBytes;
    };
    return this.#then(write, () => this.#pieces.giveBack(piece));
  }

  skip(sizeBytes: number): Promise<void> {
    return this.#then(async () => {
      await (await this.#file).truncate(this.#sizeBytes + sizeBytes);
      this.#sizeBytes += sizeBytes;
    });
  }

  #then(work: () => Promise<void>, afterwards = () => {}): Promise<void> {
    const step = this.#tail.then(() => this.#semaphore.run(work)).finally(afterwards);
    ignoreRejection(step);
    this.#tail = step;
    return step;
  }

  async finish<Result>(touch: (file: FileHandle) => Promise<Result>): Promise<Result> {
    await this.#tail.catch(() => {});
    const file = await this.#file;
    try {
      return await this.#semaphore.run(() => touch(file));
    } finally {
      await file.close();
    }
  }
}

async function writeAll(
  file: FileHandle,
  bytes: Uint8Array,
  { sizeBytes, position }: { sizeBytes: number; position: number },
): Promise<void> {
  for (let written = 0; written < sizeBytes;) {
    const { bytesWritten } = await file.write(bytes, written, sizeBytes - written, position + written);
    written += bytesWritten;
  }
}

/** Buffers for bytes on their way to the disk, shared by all files. */
interface Pieces {
  /** A copy of the bytes, at the front of a buffer. */
  take(bytes: Uint8Array): Uint8Array;
  giveBack(piece: Uint8Array): void;
}

function createPieces(): Pieces {
  const free: Uint8Array[] = [];
  return {
    take(bytes) {
      const piece = bytes.length > PIECE_BYTES ? undefined : free.pop();
      const memory = piece ?? new Uint8Array(Math.max(bytes.length, PIECE_BYTES));
      memory.set(bytes);
      return memory;
    },
    giveBack(piece) {
      if (piece.length === PIECE_BYTES && free.length < KEPT_PIECES) free.push(piece);
    },
  };
}

/** The caller of the step receives the failure; a step without an awaiting caller must not end the process. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
