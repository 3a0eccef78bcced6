// The priority classes of the dial queue (column `lane`), and how the dialler shares its capacity between them.

/** The priority classes: single calls, and calls of batches. */
export const LANES = ['single', 'batch'] as const;
export type Lane = (typeof LANES)[number];

/** While calls of both classes wait, one of this many is a batch call: batches slow down but never stop. */
const BATCH_TURN = 5;

/**
 * Shares the claims of the dialler between the priority classes. Single calls go first, because people wait for them,
 * while a batch has the whole day; after four single calls in a row, the next call is reserved for a batch.
 */
export class LaneTurns {
  /** How many single calls were claimed since the last batch call. */
  #singlesInRow = 0;

  /**
   * How many of the next `count` claimed calls are reserved for batch calls. For example, after three single calls in a
   * row, two of the next seven are: (3 + 7) / 5.
   */
  forBatches(count: number): number {
    return Math.floor((this.#singlesInRow + count) / BATCH_TURN);
  }

  /** Records the priority classes of the calls of one claim. A claim with a batch call begins a new row. */
  recordClaimed(lanes: readonly Lane[]): void {
    const inRow = lanes.includes('batch') ? 0 : this.#singlesInRow + lanes.length;
    this.#singlesInRow = Math.min(inRow, BATCH_TURN - 1);
  }
}
