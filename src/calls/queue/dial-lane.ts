/** The two lanes of the dialler's queue: calls that were asked for one by one, and calls of batches. */
export const LANES = ['single', 'batch'] as const;
export type Lane = (typeof LANES)[number];

/** While both wait, one of so many calls is of a batch. Our choice: a batch is slowed down, and never stands still. */
const BATCH_TURN = 5;

/**
 * Whose turn it is. Somebody waits for a single call, while a batch has the whole day: single calls go first, until so
 * many of them in a row have gone out that a batch must have its turn.
 */
export class LaneTurns {
  #singlesInRow = 0;

  /** How many of the next `count` calls are for batches, as far as any wait. */
  forBatches(count: number): number {
    return Math.floor((this.#singlesInRow + count) / BATCH_TURN);
  }

  /** Calls of these lanes go out. */
  taken(lanes: readonly Lane[]): void {
    const row = lanes.includes('batch') ? 0 : this.#singlesInRow + lanes.length;
    this.#singlesInRow = Math.min(row, BATCH_TURN - 1);
  }
}
