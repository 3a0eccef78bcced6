import type { CallRow } from '#calls/record/call.js';
import type { Moments } from '#calls/endings/moments.js';
import type { Store } from '#store/store.js';
import { scheduleUnits } from './schedule-store.js';
import type { CallEnd, StoppedCalls } from '#schedules/runs/settling/waiting-calls.js';

export interface StoppingParts {
  store: Store;
  moments: Moments;
  /** The end of a call was written. */
  tellEnd(call: CallRow): void;
}

/**
 * Stops a schedule together with those of its calls that wait to be dialled, in one transaction: whoever is told that
 * it is stopped is not called any more, whatever dies in between. The ends of calls need ids and links from outside, so
 * the calls are looked up first, and once more when another run has begun meanwhile.
 * @param stop the transaction; null when there are calls whose ends it was not given
 */
export async function stopWithCalls<Stopped extends StoppedCalls>(
  { store, moments, tellEnd }: StoppingParts,
  named: { workspace: string; id: string },
  stop: (ends: CallEnd[]) => Promise<Stopped | null>,
): Promise<Stopped> {
  for (;;) {
    const callIds = await store.read(scheduleUnits.openCalls, named);
    const ends = callIds.map((callId) => ({ callId, details: moments.finish(callId, 'cancelled') }));
    const stopped = await stop(ends);
    if (!stopped) continue;
    for (const call of stopped.over) tellEnd(call);
    return stopped;
  }
}
