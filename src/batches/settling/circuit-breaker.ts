import { z } from 'zod';
import { ENDED_REASONS, type EndedReason } from '#calls/record/ended-reason.js';
import { jsonColumn } from '#store/statements/columns.js';
import type { BatchRow } from '#batches/record/batch.js';

// The circuit breaker of a batch: pauses or aborts a batch whose calls fail for technical reasons. `settle-store.ts`
// records the end of each call.

/** The breaker considers the ends of calls within this time before the newest end. */
const WINDOW_MS = 120_000;
/** The fewest ends from which a share of failures is computed. */
const MIN_ENDS = 5;
/** A share of technical failures above one half pauses the batch. */
const MAX_FAILURE_SHARE = 0.5;
/** How many of the newest ends are stored. */
const MAX_STORED_ENDS = 100;
/** This many consecutive carrier failures abort the batch. */
const ABORT_AFTER_CARRIER_FAILURES = 20;
/**
 * This many consecutive carrier failures abort the batch if the last one is an outright refusal, which concerns the
 * account or the caller id.
 */
const ABORT_AFTER_REFUSALS = 5;

/** Ends caused by the service itself. */
const INTERRUPTIONS: readonly EndedReason[] = ['server_shutdown', 'server_crash'];
/** Interruptions within this time belong to one stop of the service. */
const ONE_INTERRUPTION_MS = 10_000;

/** Ends that count as carrier failures. */
const CARRIER_ERRORS: readonly EndedReason[] = [
  'provider_refused',
  'provider_unreachable',
  'provider_error',
  'provider_rate_limited',
];

/** True if the end was the fault of carrier, service or speech provider, not of the callee. */
export function isTechnical(reason: EndedReason): boolean {
  const { fault } = ENDED_REASONS[reason];
  return fault === 'carrier' || fault === 'platform' || fault === 'speech_provider';
}

/** The decision after the end of a call: pause or abort the batch, with the reason; null to continue. */
export type Verdict = { kind: 'pause' | 'abort'; reason: string } | null;

/** A recent end of a call. */
const RecentEnd = z.object({
  /** Epoch milliseconds. */
  at: z.number().int(),
  technical: z.boolean(),
  /** Only for calls interrupted by a stop or crash of the service. */
  interrupted: z.literal(true).optional(),
});
type RecentEnd = z.infer<typeof RecentEnd>;

/** An unreadable value counts as empty: the next ends fill it again. */
const RecentEnds = jsonColumn(z.array(RecentEnd)).catch([]);

/** The state of the breaker, two columns of the batch row. `recent_ends` is JSON, parsed only when a call ends. */
export type BreakerState = Pick<BatchRow, 'recent_ends' | 'refusals_in_row'>;

/** The state before the first end. */
export const INITIAL_STATE: BreakerState = { recent_ends: '[]', refusals_in_row: 0 };

/** Records the end of a call; returns the new state and the verdict. */
export function recordEnd(
  { recent_ends, refusals_in_row }: BreakerState,
  end: { at: number; reason: EndedReason },
): { state: BreakerState; verdict: Verdict } {
  const recentEnds = RecentEnds.parse(recent_ends);
  // Only the two columns, not the argument: that may be a whole batch row, whose counters must not be written back.
  if (isSameInterruption(recentEnds.at(-1), end))
    return { state: { recent_ends, refusals_in_row }, verdict: null };
  const ends = [...recentEnds, toRecentEnd(end)]
    .filter(({ at }) => at > end.at - WINDOW_MS)
    .slice(-MAX_STORED_ENDS);
  const refusals = CARRIER_ERRORS.includes(end.reason) ? refusals_in_row + 1 : 0;
  return {
    state: { recent_ends: JSON.stringify(ends), refusals_in_row: refusals },
    verdict: verdictOn(ends, refusals, end.reason),
  };
}

/**
 * A restart interrupts all live calls of a batch at once and says nothing about the next calls, so it counts as one
 * failure. A service that crashes repeatedly still stops the batch.
 */
function isSameInterruption(last: RecentEnd | undefined, end: { at: number; reason: EndedReason }): boolean {
  if (!last?.interrupted || !INTERRUPTIONS.includes(end.reason)) return false;
  return Math.abs(end.at - last.at) < ONE_INTERRUPTION_MS;
}

function toRecentEnd({ at, reason }: { at: number; reason: EndedReason }): RecentEnd {
  const end = { at, technical: isTechnical(reason) };
  return INTERRUPTIONS.includes(reason) ? { ...end, interrupted: true } : end;
}

/** The verdict on the recent ends. @param refusals consecutive carrier failures */
function verdictOn(ends: readonly RecentEnd[], refusals: number, last: EndedReason): Verdict {
  if (refusals >= ABORT_AFTER_CARRIER_FAILURES)
    return { kind: 'abort', reason: `the carrier failed ${ABORT_AFTER_CARRIER_FAILURES} calls in a row` };
  if (last === 'provider_refused' && refusals >= ABORT_AFTER_REFUSALS)
    return {
      kind: 'abort',
      reason: 'the carrier refuses the calls: check its credentials and the caller id',
    };
  const failures = ends.filter(({ technical }) => technical).length;
  if (ends.length < MIN_ENDS || failures <= ends.length * MAX_FAILURE_SHARE) return null;
  return {
    kind: 'pause',
    reason: `${failures} of the last ${ends.length} calls failed for technical reasons`,
  };
}
