// The priority classes of the dial queue (column `lane`), and how the dialler shares its capacity between them.

/** The priority classes: single calls, and calls of batches. */
export const LANES = ['single', 'batch'] as const;
export type Lane = (typeof LANES)[number];

/** While calls of both classes wait, one of this many is a batch call: batches slow down but never stop. */
const BATCH_TURN = 5;

/**
 * Chooses between the priority classes. Single calls go first, because people wait for them, while a batch has the
 * whole day; after a number of single calls in a row, a batch call gets its turn.
 */
export class LaneTurns {
  /** How many single calls were claimed since the last batch call. */
  #singlesInRow = 0;

  /**
   * How many of the next `count` claimed calls are reserved for batch calls. After four single calls in a row, the next
   * call is reserved.
   */
  forBatches(count: number): number {
    return Math.floor((this.#singlesInRow + count) / BATCH_TURN);
  }

  /** Records the priority classes of claimed calls. */
  recordClaimed(lanes: readonly Lane[]): void {
    const inRow = lanes.includes('batch') ? 0 : this.#singlesInRow + lanes.length;
    this.#singlesInRow = Math.min(inRow, BATCH_TURN - 1);
  }
}
