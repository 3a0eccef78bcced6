import type { CallRow } from '#calls/record/call.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { Store } from '#store/store.js';
import { scheduleTransactions } from './schedule-store.js';
import type { CallEnd, StoppedCalls } from '#schedules/runs/settling/waiting-calls.js';

/** The dependencies of {@link stopWithCalls}. */
export interface StoppingContext {
  store: Store;
  txContexts: TxContexts;
  /** Announces the end of a call that was ended with its schedule. */
  announceEnd(call: CallRow): void;
}

/**
 * Stops a schedule and ends its undialled calls in one transaction, so that even after a crash no call follows the
 * answer. Used to pause, to cancel and to change the status. The ends need ids and links from outside the transaction,
 * so the calls are looked up first, and again if a new run has started meanwhile.
 * @param stop the transaction; returns null if `ends` misses an open call
 */
export async function stopWithCalls<Stopped extends StoppedCalls>(
  { store, txContexts, announceEnd }: StoppingContext,
  key: { workspace: string; id: string },
  stop: (ends: CallEnd[]) => Promise<Stopped | null>,
): Promise<Stopped> {
  for (;;) {
    const callIds = await store.read(scheduleTransactions.openCalls, key);
    const ends = callIds.map((callId) => ({ callId, details: txContexts.finish(callId, 'cancelled') }));
    const stopped = await stop(ends);
    if (!stopped) continue;
    for (const call of stopped.over) announceEnd(call);
    return stopped;
  }
}
