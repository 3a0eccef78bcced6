import type { BatchCounts } from '#batches/batch-counts.js';
import type { Clock } from '#kernel/time/clock.js';

/** Shortest interval between two reads of a batch, however fast its calls end. */
const INTERVAL_MS = 500;

/** The dependencies of {@link BatchProgress}. */
export interface BatchProgressParts {
  clock: Clock;
  read(workspace: string, batchId: string): Promise<BatchCounts>;
  onProgress(workspace: string, counts: BatchCounts): void;
  onFailure(error: unknown): void;
}

/**
 * Publishes the progress of batches to the console, for `LiveService`: all changes of a batch within half a second
 * become one message.
 */
export class BatchProgress {
  readonly #parts: BatchProgressParts;
  /** Ids of batches whose counts will be read at the end of their interval. */
  readonly #scheduled = new Set<string>();

  constructor(parts: BatchProgressParts) {
    this.#parts = parts;
  }

  /** To be called when a batch or a call of it has changed. */
  changed(workspace: string, batchId: string): void {
    if (this.#scheduled.has(batchId)) return;
    this.#scheduled.add(batchId);
    this.#parts.clock.after(INTERVAL_MS, () => void this.#publish(workspace, batchId));
  }

  /** Reads the progress of a batch and hands it on. */
  async #publish(workspace: string, batchId: string): Promise<void> {
    const { read, onProgress, onFailure } = this.#parts;
    this.#scheduled.delete(batchId);
    await read(workspace, batchId).then((counts) => onProgress(workspace, counts), onFailure);
  }
}
