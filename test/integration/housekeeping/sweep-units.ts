import { sweepTable, type SweepCursor } from '#housekeeping/retention-sweep.js';
import { defineUnits } from '#store/unit.js';

export const sweepUnits = defineUnits('walk-test', {
  /** Calls that ended before the instant of the walk. */
  endedCalls: (tx, walk: SweepCursor) => sweepTable(tx, walk, { table: 'calls', isTooOld: 'ended_at < ?' }),
});
