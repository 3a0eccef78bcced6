import type { ModuleContext } from '#store/module-context.js';
import { purgeBySlices, sweepDaily, type Purge, type SweepCursor } from '#housekeeping/retention-sweep.js';
import { ACTIONS_KEPT_MS, actionTransactions } from '#calls/live/actions/action-store.js';
import type { CallErasure, ErasedCall } from './erase-call.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { callRetentionTransactions } from './retention-store.js';

// The retention of calls: which old data the housekeeping deletes from the calls module.

const DAY_MS = 86_400_000;
/**
 * How long dial attempts are kept after their end. While a call has its attempt, a carrier's report with an unknown
 * call id finds the call by the attempt's reference. No report is expected later than this.
 */
const ATTEMPTS_KEPT_DAYS = 30;

/** The dependencies of {@link callPurges}. */
export interface CallRetentionParts extends Pick<ModuleContext, 'store' | 'log'> {
  /** Erases a call as the API does (`Calls`). */
  calls: { erase(principal: { workspace: string }, id: string): Promise<ErasedCall> };
  erasure: Pick<CallErasure, 'findOld'>;
  recordings: Pick<Recordings, 'remove' | 'removeFile'>;
}

/**
 * The purges of the calls module, for the housekeeping of the service (`src/app`). They delete old recordings and erase
 * old calls one by one, as the API's `DELETE` does, and delete the life-cycle logs of erased calls. Old dial attempts
 * and old requests between processes (`call_actions`) are always deleted.
 * @param kept the retention periods of recordings and calls in days; null keeps them for ever
 */
export function callPurges(
  { store, log, calls, erasure, recordings }: CallRetentionParts,
  kept: { recordingDays: number | null; callDays: number | null },
): Purge[] {
  const purges: Purge[] = [
    purgeBySlices(({ now, limit }) =>
      store.write(actionTransactions.purge, { before: now - ACTIONS_KEPT_MS, limit }),
    ),
    purgeBySlices(({ now, limit }) =>
      store.write(callRetentionTransactions.deleteAttempts, {
        endedBefore: now - ATTEMPTS_KEPT_DAYS * DAY_MS,
        limit,
      }),
    ),
  ];
  if (kept.recordingDays !== null) {
    const readSlice = (cursor: SweepCursor) => store.read(callRetentionTransactions.recordings, cursor);
    const removeRecord = ({ workspace, id }: { workspace: string; id: string }) =>
      recordings.remove({ workspace }, id);
    purges.push(sweepDaily({ days: kept.recordingDays, what: 'recording', readSlice, removeRecord }, log));
  }
  if (kept.callDays !== null) {
    const readSlice = (cursor: SweepCursor) => erasure.findOld(cursor);
    const removeRecord = async ({ workspace, id }: { workspace: string; id: string }) => {
      const { fileName } = await calls.erase({ workspace }, id);
      if (fileName !== null) await recordings.removeFile(fileName);
      // The log is deleted slice by slice, until no entry is left.
      while (await store.write(callRetentionTransactions.deleteLogSlice, { callId: id }));
    };
    purges.push(sweepDaily({ days: kept.callDays, what: 'call', readSlice, removeRecord }, log));
  }
  return purges;
}
