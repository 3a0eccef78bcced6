import type { ModuleContext } from '#store/module-context.js';
import { sweepDaily, type SweepCursor } from '#housekeeping/retention-sweep.js';
import { purgeBySlices, type Purge } from '#housekeeping/retention-sweep.js';
import { ACTIONS_KEPT_MS, actionTransactions } from '#calls/live/actions/action-store.js';
import type { CallErasure, ErasedCall } from './erase-call.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { callRetentionTransactions } from './retention-store.js';

// The retention of calls: what the daily sweep deletes from the calls module.

const DAY_MS = 86_400_000;
/**
 * How long dial attempts are kept. A carrier's report without a known call id, for example of an unexpected second
 * ringing or of a recording, finds its call by the attempt's reference. No report comes later than this.
 */
const ATTEMPTS_KEPT_DAYS = 30;

export interface CallRetentionParts extends Pick<ModuleContext, 'store' | 'log'> {
  /** Erases a call as the API does. */
  calls: { erase(of: { workspace: string }, id: string): Promise<ErasedCall> };
  erasure: Pick<CallErasure, 'old'>;
  recordings: Pick<Recordings, 'remove' | 'removeFile'>;
}

/**
 * The purges of the calls module, for the daily retention sweep. They delete old recordings and erase old calls one by
 * one, as the API's `DELETE` does, and delete the life-cycle logs of erased calls. A period of null keeps them for
 * ever. Old dial attempts are always deleted.
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
      store.write(callRetentionTransactions.attempts, {
        endedBefore: now - ATTEMPTS_KEPT_DAYS * DAY_MS,
        limit,
      }),
    ),
  ];
  if (kept.recordingDays !== null) {
    const look = (walk: SweepCursor) => store.read(callRetentionTransactions.recordings, walk);
    const remove = ({ workspace, id }: { workspace: string; id: string }) =>
      recordings.remove({ workspace }, id);
    purges.push(
      sweepDaily({ days: kept.recordingDays, what: 'recording', readSlice: look, removeRecord: remove }, log),
    );
  }
  if (kept.callDays !== null) {
    const look = (walk: SweepCursor) => erasure.old(walk);
    const remove = async ({ workspace, id }: { workspace: string; id: string }) => {
      const { fileName } = await calls.erase({ workspace }, id);
      if (fileName !== null) await recordings.removeFile(fileName);
      while (await store.write(callRetentionTransactions.forgetLog, { callId: id }));
    };
    purges.push(
      sweepDaily({ days: kept.callDays, what: 'call', readSlice: look, removeRecord: remove }, log),
    );
  }
  return purges;
}
