import type { BatchCounts } from '#batches/batch-counts.js';
import type { Clock } from '#kernel/time/clock.js';

/** A batch is read at most this often, however fast its calls end. */
const EVERY_MS = 500;

export interface BatchProgressParts {
  clock: Clock;
  read(workspace: string, batchId: string): Promise<BatchCounts>;
  onProgress(workspace: string, counts: BatchCounts): void;
  onFailure(error: unknown): void;
}

/** Says how far batches are as their calls go on: what happened within half a second is told at once. */
export class BatchProgress {
  readonly #parts: BatchProgressParts;
  readonly #waiting = new Set<string>();

  constructor(parts: BatchProgressParts) {
    this.#parts = parts;
  }

  /** Something has happened in a batch. */
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
