import { STREAM_TOKEN_TTL_MS } from '#access/tokens/stream-token.js';
import { RING_TIMEOUT_SECONDS } from '#calls/dialling/call-placer.js';
import type { WatchedCall } from './watch-store.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { ObservedTimes } from './observed-calls.js';

// The time limits of calls in each status. `Watchdog` ends a call of this process that exceeds its limit.

/** The time that the carrier's report of an unanswered call may take to arrive after the longest ringing time. */
const CARRIER_MARGIN_MS = 15_000;
/** The longest time from a dial request to the answer. A report that the phone rings does not extend it. */
export const MAX_RING_MS = RING_TIMEOUT_SECONDS * 1_000 + CARRIER_MARGIN_MS;
/** How long the audio stream of an answered call may take to open; the callee hears silence until then. */
export const STREAM_OPENING_TIMEOUT_MS = 15_000;
/** How long an ending call may take to say goodbye and close its recording. */
const ENDING_TIMEOUT_MS = 10_000;

/** Applies the limit of a status to a call: the ended reason when it is exceeded, else null. */
type Limit = (call: WatchedCall, times: ObservedTimes) => EndedReason | null;

/** The limit of each status. A status without an entry has none. */
const LIMITS: Readonly<Partial<Record<WatchedCall['status'], Limit>>> = {
  // An inbound call whose audio socket can no longer open: its token has expired.
  initiated: ({ direction }, { unchangedMs }) =>
    direction === 'inbound' && unchangedMs > STREAM_TOKEN_TTL_MS ? 'caller_hangup' : null,
  connecting: ({ provider_call_id }, { unchangedMs }) => {
    if (unchangedMs <= MAX_RING_MS) return null;
    // Without the carrier's id of the call, it is unknown whether a phone rang: a retry could ring it twice.
    return provider_call_id === null ? 'uncertain' : 'dial_timeout';
  },
  connected: (_call, { unchangedMs }) =>
    unchangedMs > STREAM_OPENING_TIMEOUT_MS ? 'stream_not_opened' : null,
  active: ({ timeout_seconds }, { unchangedMs, answeredMs }) =>
    (answeredMs ?? unchangedMs) > timeout_seconds * 1_000 ? 'max_duration' : null,
  ending: ({ ended_reason }, { unchangedMs }) =>
    unchangedMs > ENDING_TIMEOUT_MS ? (ended_reason ?? 'stream_error') : null,
};

/** The ended reason of a call that has been in its status for too long; null within the limit. */
export function overdue(call: WatchedCall, times: ObservedTimes): EndedReason | null {
  return LIMITS[call.status]?.(call, times) ?? null;
}
