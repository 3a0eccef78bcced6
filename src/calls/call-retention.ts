import { walkDaily, type Walk } from '../access/daily-walk.js';
import type { Purge } from '../access/housekeeping.js';
import type { Log } from '../kernel/log.js';
import type { Store } from '../store/store.js';
import type { Calls } from './calls.js';
import type { Recordings } from './recordings/recordings.js';
import { callRetentionUnits } from './retention-store.js';

export interface CallRetentionParts {
  store: Store;
  log: Log;
  calls: Pick<Calls, 'erase'>;
  recordings: Pick<Recordings, 'remove' | 'removeFile'>;
}

/**
 * Removes recordings, and erases calls, that are older than an operator wants to keep them (our choice): one by one, as
 * clients do by `DELETE`. Null keeps them.
 */
export function callPurges(
  { store, log, calls, recordings }: CallRetentionParts,
  kept: { recordingDays: number | null; callDays: number | null },
): Purge[] {
  const purges: Purge[] = [];
  if (kept.recordingDays !== null) {
    const look = (walk: Walk) => store.read(callRetentionUnits.recordings, walk);
    const remove = ({ workspace, id }: { workspace: string; id: string }) =>
      recordings.remove({ workspace }, id);
    purges.push(walkDaily({ days: kept.recordingDays, what: 'recording', look, remove }, log));
  }
  if (kept.callDays !== null) {
    const look = (walk: Walk) => store.read(callRetentionUnits.calls, walk);
    const remove = async ({ workspace, id }: { workspace: string; id: string }) => {
      const { fileName } = await calls.erase({ workspace }, id);
      if (fileName !== null) await recordings.removeFile(fileName);
    };
    purges.push(walkDaily({ days: kept.callDays, what: 'call', look, remove }, log));
  }
  return purges;
}
