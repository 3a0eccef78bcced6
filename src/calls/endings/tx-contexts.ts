import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { CallLinks } from '#calls/record/call-event-data.js';
import { EVENT_IDS_PER_MOVE, type TxContext } from '#calls/record/call-progress.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { FinishDetails } from './finish-call.js';
import { analysisEventIds } from '#calls/after-call/keep-analysis.js';

/**
 * Makes the values that a transaction takes from outside: the current time, new ids and signed links. A transaction may
 * run on another thread, so it gets them as data.
 */
export interface TxContexts {
  /** The context of a change that records events. */
  now(callId: string): TxContext;
  /** The context of a change without events: the current time, no ids, no links. */
  unannounced(): TxContext;
  /** The details of an end now, without a talk unless `more` has one. */
  finish(callId: string, reason: EndedReason, more?: Partial<FinishDetails>): FinishDetails;
}

const NO_LINKS: CallLinks = { recordingUrl: '', transcriptUrl: '' };

export function createTxContexts(parts: {
  clock: Clock;
  ids: Ids;
  links: (callId: string) => CallLinks;
}): TxContexts {
  const now = (callId: string): TxContext => ({
    at: parts.clock.wallMs(),
    eventIds: Array.from({ length: EVENT_IDS_PER_MOVE }, () => parts.ids.next('evt')),
    links: parts.links(callId),
  });
  return {
    now,
    unannounced: () => ({ at: parts.clock.wallMs(), eventIds: [], links: NO_LINKS }),
    finish: (callId, reason, more) => ({
      context: now(callId),
      reason,
      talk: null,
      jobIds: { recording: parts.ids.next('job'), analysis: parts.ids.next('job') },
      analysisEventIds: analysisEventIds(parts.ids),
      ...more,
    }),
  };
}
