import { sweepDaily, type SweepCursor } from '#housekeeping/retention-sweep.js';
import { purgeBySlices, type Purge } from '#housekeeping/retention-sweep.js';
import type { Log } from '#kernel/log/log.js';
import type { Store } from '#store/store.js';
import { ACTIONS_KEPT_MS, actionTransactions } from '#calls/live/actions/action-store.js';
import type { CallErasure, ErasedCall } from './erase-call.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { callRetentionTransactions } from './retention-store.js';

const DAY_MS = 86_400_000;
/**
 * By the reference of an attempt a carrier's word is told to belong to its call, where the carrier's own id is not
 * known: a second ringing that nobody expected, or a recording. None of them comes so late.
 */
const ATTEMPTS_KEPT_DAYS = 30;

export interface CallRetentionParts {
  store: Store;
  log: Log;
  /** As clients erase calls. */
  calls: { erase(of: { workspace: string }, id: string): Promise<ErasedCall> };
  erasure: Pick<CallErasure, 'old'>;
  recordings: Pick<Recordings, 'remove' | 'removeFile'>;
}

/**
 * Removes recordings, and erases calls, that are older than an operator wants to keep them (our choice): one by one, as
 * clients do by `DELETE`, but with the log of how they went. Null keeps them. What was needed to dial them always goes.
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
    purges.push(sweepDaily({ days: kept.recordingDays, what: 'recording', look, remove }, log));
  }
  if (kept.callDays !== null) {
    const look = (walk: SweepCursor) => erasure.old(walk);
    const remove = async ({ workspace, id }: { workspace: string; id: string }) => {
      const { fileName } = await calls.erase({ workspace }, id);
      if (fileName !== null) await recordings.removeFile(fileName);
      while (await store.write(callRetentionTransactions.forgetLog, { callId: id }));
    };
    purges.push(sweepDaily({ days: kept.callDays, what: 'call', look, remove }, log));
  }
  return purges;
}
