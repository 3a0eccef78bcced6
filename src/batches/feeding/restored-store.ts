import { defineUnits } from '#store/unit.js';
import { holdBatches } from './hold-batches.js';

/** Batches that may have called somebody since the backup was made; takes the present instant. */
const UNDER_WAY = `(status in ('initiated', 'in_progress') or (status = 'scheduled' and feed_at <= ?))`;

export const restoredUnits = defineUnits('restored_batches', {
  /**
   * Holds all batches that were under way: whom they have called since the backup was made, nobody knows any more, and
   * nobody is to be called twice. Returns how many.
   */
  async hold(tx, { at }: { at: number }): Promise<number> {
    return holdBatches(tx, { at, reason: 'restored from a backup', which: UNDER_WAY, values: [at] });
  },
});
