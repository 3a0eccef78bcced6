import type { Refused } from '#kernel/input/json-body.js';
import type { Log } from '#kernel/log/log.js';
import { transferableBytes } from '#kernel/system/thread.js';
import { ComputeThread } from '#kernel/system/compute-thread.js';
import type { ReadList } from './suppression-list.js';

/**
 * Parses JSON imports of suppressions on a thread of its own, so that a long list does not delay live audio; for the
 * import route.
 */
export class SuppressionListReader {
  readonly #thread: ComputeThread<Uint8Array>;

  constructor(parts: { log: Log }) {
    const entry = { name: 'suppression lists', path: 'policy/suppressions/suppression-list-thread.js' };
    this.#thread = new ComputeThread(entry, parts);
  }

  /** Parses a request body. @param bytes are moved to the thread, and may be empty afterwards */
  read(bytes: Uint8Array): Promise<ReadList | Refused> {
    const transferable = transferableBytes(bytes);
    return this.#thread.ask(transferable, [transferable.buffer]);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
