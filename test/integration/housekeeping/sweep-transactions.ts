import { sweepTable, type SweepCursor } from '#housekeeping/retention-sweep.js';
import { defineTransactions } from '#store/transaction.js';

export const sweepTransactions = defineTransactions('walk-test', {
  /** Calls that ended before the instant of the walk. */
  endedCalls: (tx, walk: SweepCursor) => sweepTable(tx, walk, { table: 'calls', isTooOld: 'ended_at < ?' }),
});
