import { sweepTable, type SweepCursor, type SweptSlice } from '#housekeeping/retention-sweep.js';
import { SETTLEMENT } from '#calls/end-delivery/settlement.js';
import { defineTransactions, type Tx } from '#store/transaction.js';

// The transactions that find old calls and recordings, and delete their logs and dial attempts, for the retention of
// calls (`callPurges`).

/** SQL condition: the columns of a call are as `eraseCall` leaves them. */
const IS_ERASED = `to_phone = '' and from_phone = '' and name is null and customer_data = '{}'
  and customer_context = '{}' and metadata = '{}' and record_call = 0 and enable_transcription = 0
  and outcome is null and summary is null and analysis is null`;
/** SQL condition: a call still has entries of its life-cycle log. */
const HAS_LOG = 'exists (select 1 from call_events where call_id = calls.id)';
/** The most log entries, and the most turns, that one transaction deletes: few, so that others do not wait. */
const ENTRIES_AT_ONCE = 250;

/**
 * The next calls that ended before the cursor's instant, and either are not erased or still have a life-cycle log. The
 * batches module uses it for `CallErasure.findOld`.
 * @param isNeeded SQL condition on calls that must not be erased yet
 */
export function oldCalls(tx: Tx, cursor: SweepCursor, isNeeded: string): Promise<SweptSlice> {
  return sweepTable(tx, cursor, {
    table: 'calls',
    isTooOld: `ended_at < ? and (not (${IS_ERASED}) or ${HAS_LOG}) and not (${isNeeded})`,
  });
}

/** The transactions of `callPurges`. */
export const callRetentionTransactions = defineTransactions('call_retention', {
  /** The next recordings that are ready and were begun before the cursor's instant, by call id. */
  recordings(tx, args: SweepCursor): Promise<SweptSlice> {
    return sweepTable(tx, args, {
      table: 'recordings',
      id: 'call_id',
      isTooOld: `status = 'ready' and created_at < ?`,
    });
  },

  /** Deletes a slice of the life-cycle log and the turns of an erased call. False when nothing is left. */
  async deleteLogSlice(tx, { callId }: { callId: string }): Promise<boolean> {
    let removed = 0;
    for (const [table, sequence] of [
      ['call_events', 'sequence'],
      ['call_turns', 'turn'],
    ])
      removed += await tx.run(
        `delete from ${table} where call_id = ? and ${sequence} in (
           select ${sequence} from ${table} where call_id = ? order by ${sequence} limit ?)`,
        callId,
        callId,
        ENTRIES_AT_ONCE,
      );
    return removed > 0;
  },

  /**
   * Deletes at most `limit` dial attempts that ended before an instant, oldest first. The attempts of a call stay until
   * the call is over and its batch or schedule has counted its end. Returns how many were deleted.
   */
  deleteAttempts(tx, args: { endedBefore: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from dial_attempts where id in (
         select id from dial_attempts where status = 'ended' and updated_at < ?
           and exists (select 1 from calls where calls.id = call_id and ended_at is not null and unsettled = ${SETTLEMENT.settled})
         order by updated_at limit ?)`,
      args.endedBefore,
      args.limit,
    );
  },
});
