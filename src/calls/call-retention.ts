import type { Purge } from '../access/housekeeping.js';
import { Problem } from '../kernel/errors.js';
import type { Log } from '../kernel/log.js';
import type { Store } from '../store/store.js';
import type { Unit } from '../store/unit.js';
import type { Calls } from './calls.js';
import type { Recordings } from './recordings/recordings.js';
import { callRetentionUnits, type Walked } from './retention-store.js';

const DAY_MS = 86_400_000;
/** Rows that are looked at together, by a reader. */
const SLICE = 200;
/** No index sorts by age what is still to be removed: all is walked through once a day, and once after a start. */
const EVERY_MS = DAY_MS;

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
  parts: CallRetentionParts,
  kept: { recordingDays: number | null; callDays: number | null },
): Purge[] {
  const { calls, recordings } = parts;
  const purges: Purge[] = [];
  if (kept.recordingDays !== null)
    purges.push(
      walkDaily(parts, {
        unit: callRetentionUnits.recordings,
        days: kept.recordingDays,
        what: 'recording',
        remove: ({ workspace, callId }) => recordings.remove({ workspace }, callId),
      }),
    );
  if (kept.callDays !== null)
    purges.push(
      walkDaily(parts, {
        unit: callRetentionUnits.calls,
        days: kept.callDays,
        what: 'call',
        async remove({ workspace, callId }) {
          const { fileName } = await calls.erase({ workspace }, callId);
          if (fileName !== null) await recordings.removeFile(fileName);
        },
      }),
    );
  return purges;
}

interface Removal {
  unit: Unit<{ after: string; before: number; limit: number }, Walked>;
  days: number;
  /** For the log. */
  what: string;
  remove(found: Walked['found'][number]): Promise<void>;
}

function walkDaily({ store, log }: CallRetentionParts, { unit, days, what, remove }: Removal): Purge {
  let after = '';
  let nextAt = 0;
  return async (now) => {
    if (after === '' && now < nextAt) return false;
    if (after === '') nextAt = now + EVERY_MS;
    const walked: Walked = await store.read(unit, { after, before: now - days * DAY_MS, limit: SLICE });
    for (const one of walked.found) {
      await remove(one).catch((error: unknown) => {
        // Somebody else was quicker.
        if (error instanceof Problem && error.code.endsWith('_not_found')) return;
        log.warn({ err: error, call_id: one.callId, what }, 'what is too old could not be removed');
      });
    }
    after = walked.after ?? '';
    return walked.after !== null;
  };
}
