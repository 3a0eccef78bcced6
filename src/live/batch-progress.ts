import type { BatchCounts } from '#batches/batch-counts.js';
import type { Clock } from '#kernel/time/clock.js';

/** Minimum interval between two reads of a batch, however fast its calls end. */
const EVERY_MS = 500;

export interface BatchProgressParts {
  clock: Clock;
  read(workspace: string, batchId: string): Promise<BatchCounts>;
  onProgress(workspace: string, counts: BatchCounts): void;
  onFailure(error: unknown): void;
}

/** Publishes the progress of batches: all changes within half a second are one message. */
export class BatchProgress {
  readonly #parts: BatchProgressParts;
  readonly #waiting = new Set<string>();

  constructor(parts: BatchProgressParts) {
    this.#parts = parts;
  }

  /** A call of the batch has changed. */
  changed(workspace: string, batchId: string): void {
    if (this.#waiting.has(batchId)) return;
    this.#waiting.add(batchId);
    this.#parts.clock.after(EVERY_MS, () => void this.#tell(workspace, batchId));
  }

  async #tell(workspace: string, batchId: string): Promise<void> {
    const { read, onProgress, onFailure } = this.#parts;
    this.#waiting.delete(batchId);
    await read(workspace, batchId).then((counts) => onProgress(workspace, counts), onFailure);
  }
}
