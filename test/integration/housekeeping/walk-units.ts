import { walkThrough, type Walk } from '#housekeeping/daily-walk.js';
import { defineUnits } from '#store/unit.js';

export const walkUnits = defineUnits('walk-test', {
  /** Calls that ended before the instant of the walk. */
  endedCalls: (tx, walk: Walk) => walkThrough(tx, walk, { table: 'calls', isTooOld: 'ended_at < ?' }),
});
