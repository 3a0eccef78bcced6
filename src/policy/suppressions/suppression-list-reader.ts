import type { Refused } from '#kernel/input/json-body.js';
import type { Log } from '#kernel/log/log.js';
import { ownBytes } from '#kernel/system/own-bytes.js';
import { ComputeThread } from '#kernel/system/compute-thread.js';
import type { ReadList } from './suppression-list.js';

/** Reads whole suppression lists on a thread of its own. */
export class SuppressionListReader {
  readonly #thread: ComputeThread<Uint8Array>;

  constructor(parts: { log: Log }) {
    const place = { name: 'suppression lists', path: 'policy/suppressions/suppression-list-thread.js' };
    this.#thread = new ComputeThread(place, parts);
  }

  /** @param bytes change hands, and are empty afterwards */
  read(bytes: Uint8Array): Promise<ReadList | Refused> {
    const own = ownBytes(bytes);
    return this.#thread.ask(own, [own.buffer]);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
