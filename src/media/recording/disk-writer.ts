import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OWN_USER_ONLY } from '#kernel/system/folders.js';
import { Semaphore } from '#kernel/work/semaphore.js';

/**
 * The most steps (writes and the like) at a time, of all files: the rest of the service needs the four file threads of
 * the process, too.
 */
const WRITES_AT_ONCE = 2;
/** Size of one reused buffer: a second of wide-band stereo audio. */
const BUFFER_BYTES = 64 * 1024;
/** The most unused buffers that are kept for later writes: two megabytes. */
const KEPT_BUFFERS = 32;

/**
 * Writes the recordings of all calls in the background: in order within a file, a few writes at a time in total. Each
 * `Recorder` writes through it.
 */
export interface DiskWriter {
  /**
   * Creates a new, empty file and its folders in the background. If the file exists, its steps fail: recordings are
   * never overwritten.
   */
  create(path: string): GrowingFile;
}

/** A file being written. Steps run in the order of the calls; after the first failure, further steps fail as well. */
export interface GrowingFile {
  /** Appends bytes, which are copied before this returns. */
  append(bytes: Uint8Array): Promise<void>;
  /** Appends `sizeBytes` zero bytes, which are not written one by one. */
  skip(sizeBytes: number): Promise<void>;
  /**
   * Waits for all earlier steps, runs `complete` on the open file (also after a failed write, to repair the file) and
   * closes it.
   * @throws the file system's error if the file could not be created
   */
  finish<Result>(complete: (file: FileHandle) => Promise<Result>): Promise<Result>;
}

/** Creates the disk writer of a process, which all recordings share. */
export function createDiskWriter(): DiskWriter {
  const semaphore = new Semaphore(WRITES_AT_ONCE);
  const buffers = createBufferPool();
  return { create: (path) => new QueuedFile(path, semaphore, buffers) };
}

/** See {@link GrowingFile}: a chain of promises, one per step. */
class QueuedFile implements GrowingFile {
  readonly #semaphore: Semaphore;
  readonly #buffers: BufferPool;
  #file: Promise<FileHandle>;
  /** The newest step; every step after a failure is rejected with the same error. */
  #lastStep: Promise<unknown>;
  /** Bytes written and skipped so far. */
  #sizeBytes = 0;

  constructor(path: string, semaphore: Semaphore, buffers: BufferPool) {
    this.#semaphore = semaphore;
    this.#buffers = buffers;
    this.#file = semaphore.run(async () => {
      await mkdir(dirname(path), { recursive: true, mode: OWN_USER_ONLY });
      return open(path, 'wx+');
    });
    this.#lastStep = this.#file;
    ignoreRejection(this.#file);
  }

  append(bytes: Uint8Array): Promise<void> {
    const buffer = this.#buffers.take(bytes);
    const sizeBytes = bytes.length;
    const write = async () => {
      await writeAll(await this.#file, buffer, { sizeBytes, position: this.#sizeBytes });
      this.#sizeBytes += sizeBytes;
    };
    return this.#addStep(write, () => this.#buffers.giveBack(buffer));
  }

  skip(sizeBytes: number): Promise<void> {
    return this.#addStep(async () => {
      // Beyond its end, `truncate` extends the file by zeros.
      await (await this.#file).truncate(this.#sizeBytes + sizeBytes);
      this.#sizeBytes += sizeBytes;
    });
  }

  /** Adds a step after all earlier steps of this file. `afterwards` runs in any case. */
  #addStep(work: () => Promise<void>, afterwards = () => {}): Promise<void> {
    const step = this.#lastStep.then(() => this.#semaphore.run(work)).finally(afterwards);
    ignoreRejection(step);
    this.#lastStep = step;
    return step;
  }

  async finish<Result>(complete: (file: FileHandle) => Promise<Result>): Promise<Result> {
    await this.#lastStep.catch(() => {});
    const file = await this.#file;
    try {
      return await this.#semaphore.run(() => complete(file));
    } finally {
      await file.close();
    }
  }
}

/** Writes the first `sizeBytes` of a buffer at a position of the file; one call of `write` may write less. */
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
interface BufferPool {
  /** A copy of the bytes, at the front of a buffer. */
  take(bytes: Uint8Array): Uint8Array;
  /** Keeps a buffer for later writes; drops it if there are enough, or if it is larger than usual. */
  giveBack(buffer: Uint8Array): void;
}

function createBufferPool(): BufferPool {
  const free: Uint8Array[] = [];
  return {
    take(bytes) {
      const buffer = bytes.length > BUFFER_BYTES ? undefined : free.pop();
      const memory = buffer ?? new Uint8Array(Math.max(bytes.length, BUFFER_BYTES));
      memory.set(bytes);
      return memory;
    },
    giveBack(buffer) {
      if (buffer.length === BUFFER_BYTES && free.length < KEPT_BUFFERS) free.push(buffer);
    },
  };
}

/** A failed step must not end the process if its caller does not await it; other callers still receive the failure. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
