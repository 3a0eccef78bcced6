import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock, type Clock } from '../kernel/clock.js';
import { startThread } from '../kernel/thread.js';
import { Semaphore } from '../kernel/semaphore.js';
import { Additions } from './additions.js';

/** Few at once are opened or finished: the rest of the house needs the machine's file threads too (there are four). */
const FILES_AT_ONCE = 2;
/** A second of wide-band stereo sound. What is on its way to the disk lies in pieces of this size, used again. */
const PIECE_BYTES = 64 * 1024;
const KEPT_PIECES = 128;

/** Writes files of many calls in the background: in order within a file. */
export interface DiskWriter {
  /** Makes a new, empty file (and its folders). An existing one is an error: recordings are never overwritten. */
  create(path: string): GrowingFile;
}

/** A file that is being written. Steps run in the order they were asked for; after the first failure none runs. */
export interface GrowingFile {
  /** Adds to the end. The bytes are copied before this returns. */
  append(bytes: Uint8Array): Promise<void>;
  /** Everything asked for before has been tried; then the last touches, in which steps that failed may be mended. */
  finish<Result>(touch: (file: FileHandle) => Promise<Result>): Promise<Result>;
}

/** The clock only tells how long writes of many files are gathered. */
export function createDiskWriter(parts: { clock?: Clock; start?: typeof startThread } = {}): DiskWriter {
  const { clock = systemClock, start = startThread } = parts;
  const semaphore = new Semaphore(FILES_AT_ONCE);
  const additions = new Additions(clock, start);
  const pieces = createPieces();
  return { create: (path) => new QueuedFile(path, { semaphore, additions, pieces }) };
}

interface WriterParts {
  semaphore: Semaphore;
  additions: Additions;
  pieces: Pieces;
}

class QueuedFile implements GrowingFile {
  readonly #parts: WriterParts;
  #file: Promise<FileHandle>;
  /** Settles when the last step asked for has; rejected once one has failed. */
  #tail: Promise<unknown>;

  constructor(path: string, parts: WriterParts) {
    this.#parts = parts;
    this.#file = parts.semaphore.run(async () => {
      await mkdir(dirname(path), { recursive: true });
      return open(path, 'wx+');
    });
    this.#tail = this.#file;
    ignoreRejection(this.#file);
  }

  append(bytes: Uint8Array): Promise<void> {
    const { additions, pieces } = this.#parts;
    const piece = pieces.take(bytes);
    const sizeBytes = bytes.length;
    const write = async () => additions.write({ descriptor: (await this.#file).fd, piece, sizeBytes });
    const step = this.#tail.then(write).finally(() => pieces.giveBack(piece));
    ignoreRejection(step);
    this.#tail = step;
    return step;
  }

  async finish<Result>(touch: (file: FileHandle) => Promise<Result>): Promise<Result> {
    await this.#tail.catch(() => {});
    const file = await this.#file;
    try {
      return await this.#parts.semaphore.run(() => touch(file));
    } finally {
      await file.close();
    }
  }
}

/** Memory for what is on its way to the disk, shared by all files, and with the thread that writes it. */
interface Pieces {
  /** A copy of the bytes, at the front of a piece. */
  take(bytes: Uint8Array): Uint8Array;
  giveBack(piece: Uint8Array): void;
}

function createPieces(): Pieces {
  const free: Uint8Array[] = [];
  return {
    take(bytes) {
      const piece = bytes.length > PIECE_BYTES ? undefined : free.pop();
      const memory = piece ?? new Uint8Array(new SharedArrayBuffer(Math.max(bytes.length, PIECE_BYTES)));
      memory.set(bytes);
      return memory;
    },
    giveBack(piece) {
      if (piece.length === PIECE_BYTES && free.length < KEPT_PIECES) free.push(piece);
    },
  };
}

/** Who asked hears of the failure; a step nobody looks at must not end the process. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
