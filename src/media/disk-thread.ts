import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** Bytes for the end of an open file: the front of a piece of shared memory. */
export interface Addition {
  descriptor: number;
  piece: Uint8Array;
  sizeBytes: number;
}

/** Why an addition was not written, or not all of it; null when it was. */
export type Refusal = { message: string; code: string | undefined } | null;

const port = parentPort!;
port.on('message', (additions: readonly Addition[]) => port.postMessage(additions.map(add)));

function add({ descriptor, piece, sizeBytes }: Addition): Refusal {
  try {
    for (let written = 0; written < sizeBytes;) {
      written += writeSync(descriptor, piece, written, sizeBytes - written);
    }
    return null;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { message, code };
  }
}
