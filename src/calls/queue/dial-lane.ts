/** The priority classes of the dial queue: single calls, and calls of batches. */
export const LANES = ['single', 'batch'] as const;
export type Lane = (typeof LANES)[number];

/** While both wait, one of this many calls is a batch call: batches are slowed down but never stand still. */
const BATCH_TURN = 5;

/**
 * Chooses between the priority classes. Single calls go first, because people wait for them, while a batch has the
 * whole day; after a number of single calls in a row, a batch call gets its turn.
 */
export class LaneTurns {
  #singlesInRow = 0;

  /** How many of the next `count` places are reserved for batch calls. */
  forBatches(count: number): number {
    return Math.floor((this.#singlesInRow + count) / BATCH_TURN);
  }

  /** Records the priority classes of claimed calls. */
  taken(lanes: readonly Lane[]): void {
    const row = lanes.includes('batch') ? 0 : this.#singlesInRow + lanes.length;
    this.#singlesInRow = Math.min(row, BATCH_TURN - 1);
  }
}
