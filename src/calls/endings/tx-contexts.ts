import type { Clock } from '#kernel/time/clock.js';
import type { CallLinks } from '#calls/record/call-event-data.js';
import type { TxContext } from '#calls/record/call-progress.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';

/**
 * Provides the inputs that a transaction on calls must not compute itself: the current time and signed links. A
 * transaction may run on the store's thread, and may be repeated. `CallService` shares one with the modules that create
 * or end calls.
 */
export interface TxContexts {
  /** The context of a change whose events are recorded. */
  now(callId: string): TxContext;
  /** The context of a change without events: the current time, no links. */
  unannounced(): TxContext;
  /** The details of an end now. By default there was no talk; `overrides` replaces any of the details. */
  finish(callId: string, reason: EndedReason, overrides?: Partial<FinishDetails>): FinishDetails;
}

/** Creates the contexts from the service's clock and signed links. */
export function createTxContexts(parts: { clock: Clock; links: (callId: string) => CallLinks }): TxContexts {
  const now = (callId: string): TxContext => ({
    at: parts.clock.wallMs(),
    links: parts.links(callId),
  });
  return {
    now,
    unannounced: () => ({ at: parts.clock.wallMs(), links: null }),
    finish: (callId, reason, overrides) => ({ context: now(callId), reason, talk: null, ...overrides }),
  };
}
