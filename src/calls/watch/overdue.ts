import { STREAM_TOKEN_TTL_MS } from '#access/tokens/stream-token.js';
import { RING_TIMEOUT_SECONDS } from '#calls/dialling/call-placer.js';
import type { WatchedCall } from './watch-store.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { ObservedTimes } from './observed-calls.js';

/** A carrier that has said nothing so long after the ringing time is not going to. */
const CARRIER_MARGIN_MS = 15_000;
/** No phone rings for longer, whatever its carrier says or does not say. */
export const LONGEST_RING_MS = RING_TIMEOUT_SECONDS * 1_000 + CARRIER_MARGIN_MS;
/** An answered call whose audio stream has not come by then is dead air. */
export const STREAM_OPENING_TIMEOUT_MS = 15_000;
/** How long an ending call may take to say goodbye and close its recording. */
const ENDING_TIMEOUT_MS = 10_000;

type Verdict = (call: WatchedCall, times: ObservedTimes) => EndedReason | null;

/** How long a call may stay as it is, and why it ends then. States that are not here may last. */
const VERDICTS: Readonly<Partial<Record<WatchedCall['status'], Verdict>>> = {
  initiated: ({ direction }, { unchangedMs }) =>
    direction === 'inbound' && unchangedMs > STREAM_TOKEN_TTL_MS ? 'caller_hangup' : null,
  connecting: ({ provider_call_id }, { unchangedMs }) => {
    if (unchangedMs <= LONGEST_RING_MS) return null;
    // Nobody knows whether a phone rang: that must not be tried again as a call that nobody took.
    return provider_call_id === null ? 'uncertain' : 'dial_timeout';
  },
  connected: (_call, { unchangedMs }) =>
    unchangedMs > STREAM_OPENING_TIMEOUT_MS ? 'stream_not_opened' : null,
  active: ({ timeout_seconds }, { unchangedMs, answeredMs }) =>
    (answeredMs ?? unchangedMs) > timeout_seconds * 1_000 ? 'max_duration' : null,
  ending: ({ ended_reason }, { unchangedMs }) =>
    unchangedMs > ENDING_TIMEOUT_MS ? (ended_reason ?? 'stream_error') : null,
};

/** Why a call must end now, by the time alone; null while everything is in time. */
export function overdue(call: WatchedCall, times: ObservedTimes): EndedReason | null {
  return VERDICTS[call.status]?.(call, times) ?? null;
}
