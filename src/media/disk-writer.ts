import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Few at once: the rest of the house needs the machine's file threads too (there are four). */
const WRITES_AT_ONCE = 2;

/** Writes files of many calls in the background: in order within a file, a few at once over all. */
export interface DiskWriter {
  /** Makes a new, empty file (and its folders). An existing one is an error: recordings are never overwritten. */
  create(path: string): GrowingFile;
}

/** A file that is being written. Steps run in the order they were asked for; after the first failure none runs. */
export interface GrowingFile {
  /** Adds to the end. The bytes must not change until the promise settles. */
  append(bytes: Uint8Array): Promise<void>;
  /** Everything asked for before has been tried; then the last touches, in which steps that failed may be mended. */
  finish<Result>(touch: (file: FileHandle) => Promise<Result>): Promise<Result>;
}

export function createDiskWriter(): DiskWriter {
  const lanes = createLanes(WRITES_AT_ONCE);
  return { create: (path) => new QueuedFile(path, lanes) };
}

type Lanes = <Result>(step: () => Promise<Result>) => Promise<Result>;

class QueuedFile implements GrowingFile {
  readonly #lanes: Lanes;
  #file: Promise<FileHandle>;
  /** Settles when the last step asked for has; rejected once one has failed. */
  #tail: Promise<unknown>;

  constructor(path: string, lanes: Lanes) {
    this.#lanes = lanes;
    this.#file = lanes(async () => {
      await mkdir(dirname(path), { recursive: true });
      return open(path, 'wx+');
    });
    this.#tail = this.#file;
    ignoreRejection(this.#file);
  }

  append(bytes: Uint8Array): Promise<void> {
    const step = this.#tail.then(() => this.#lanes(async () => writeAll(await this.#file, bytes)));
    ignoreRejection(step);
    this.#tail = step;
    return step;
  }

  async finish<Result>(touch: (file: FileHandle) => Promise<Result>): Promise<Result> {
    await this.#tail.catch(() => {});
    const file = await this.#file;
    try {
      return await this.#lanes(() => touch(file));
    } finally {
      await file.close();
    }
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written);
    written += bytesWritten;
  }
}

/** Runs at most `count` steps at a time; the others wait their turn. */
function createLanes(count: number): Lanes {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (step) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await step();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** Who asked hears of the failure; a step nobody looks at must not end the process. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
