import { defineUnits } from '#store/unit.js';
import { holdBatches } from './hold-batches.js';

/** SQL: batches that may have made calls since the backup; takes the current instant. */
const UNDER_WAY = `(status in ('initiated', 'in_progress') or (status = 'scheduled' and feed_at <= ?))`;

export const restoredUnits = defineUnits('restored_batches', {
  /**
   * Pauses all batches in progress after a restore: calls made since the backup are unknown, and must not be repeated.
   * Returns their number.
   */
  async hold(tx, { at }: { at: number }): Promise<number> {
    return holdBatches(tx, { at, reason: 'restored from a backup', which: UNDER_WAY, values: [at] });
  },
});
