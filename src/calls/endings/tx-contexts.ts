import type { Clock } from '#kernel/time/clock.js';
import type { CallLinks } from '#calls/record/call-event-data.js';
import type { TxContext } from '#calls/record/call-progress.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';

/** Makes what a transaction must not make itself: the current time and signed links. */
export interface TxContexts {
  now(callId: string): TxContext;
  /** The context of a change without events: the current time, no links. */
  unannounced(): TxContext;
  finish(callId: string, reason: EndedReason, more?: Partial<FinishDetails>): FinishDetails;
}

export function createTxContexts(parts: { clock: Clock; links: (callId: string) => CallLinks }): TxContexts {
  const now = (callId: string): TxContext => ({
    at: parts.clock.wallMs(),
    links: parts.links(callId),
  });
  return {
    now,
    unannounced: () => ({ at: parts.clock.wallMs(), links: null }),
    finish: (callId, reason, more) => ({ context: now(callId), reason, talk: null, ...more }),
  };
}
