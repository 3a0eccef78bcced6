import { z } from 'zod';
import { ENDED_REASONS, type EndedReason } from '#calls/record/ended-reason.js';
import { jsonColumn } from '#store/statements/columns.js';
import type { BatchRow } from '#batches/record/batch.js';

/** Ends that are older say nothing about now. */
const WINDOW_MS = 120_000;
/** Fewer ends than this prove nothing. */
const FEWEST_ENDS = 5;
/** The share of technical failures above which the batch stops to think. */
const HIGHEST_SHARE = 0.5;
/** More ends than this are not looked at: the newest tell enough. */
const MOST_ENDS = 100;
/** So many calls in a row that the carrier did not take or broke: nobody is reached by going on. */
const MOST_REFUSALS = 20;
/** A carrier that refuses outright refuses the account or the caller id: a few times in a row are proof. */
const MOST_OUTRIGHT_REFUSALS = 5;

/** Ends of calls that the service broke off itself. */
const INTERRUPTIONS: readonly EndedReason[] = ['server_shutdown', 'server_crash'];
/** Calls that were broken off so closely together fell to one stop of the service. */
const ONE_INTERRUPTION_MS = 10_000;

const CARRIER_ERRORS: readonly EndedReason[] = [
  'provider_refused',
  'provider_unreachable',
  'provider_error',
  'provider_rate_limited',
];

/** Whether an end was the fault of the machinery and not of whoever was called. */
export function isTechnical(reason: EndedReason): boolean {
  const { fault } = ENDED_REASONS[reason];
  return fault === 'carrier' || fault === 'platform' || fault === 'speech_provider';
}

/** What the ends of its calls mean for the batch: null is to go on. */
export type Verdict = { kind: 'pause' | 'abort'; reason: string } | null;

/** How a call ended lately. */
const RecentEnd = z.object({
  /** Epoch milliseconds. */
  at: z.number().int(),
  technical: z.boolean(),
  /** Only of calls that the service itself broke off, by stopping or dying. */
  interrupted: z.literal(true).optional(),
});
type RecentEnd = z.infer<typeof RecentEnd>;

/** What cannot be read any more is forgotten: the next ends tell enough. */
const RecentEnds = jsonColumn(z.array(RecentEnd)).catch([]);

/** What the breaker remembers of a batch, as its row holds it. It is read when a call ends, and not before. */
export type Memory = Pick<BatchRow, 'recent_ends' | 'refusals_in_row'>;

/** Of a batch whose calls are yet to end. */
export const NO_MEMORY: Memory = { recent_ends: '[]', refusals_in_row: 0 };

/** One more call has ended: what is remembered now, and what follows from it. */
export function judge(
  { recent_ends, refusals_in_row }: Memory,
  end: { at: number; reason: EndedReason },
): { memory: Memory; verdict: Verdict } {
  const before = RecentEnds.parse(recent_ends);
  // Made anew here, too: whoever asks may hand over all of a batch, and writes what is remembered beside its counts.
  if (isSameInterruption(before.at(-1), end))
    return { memory: { recent_ends, refusals_in_row }, verdict: null };
  const ends = [...before, remember(end)].filter(({ at }) => at > end.at - WINDOW_MS).slice(-MOST_ENDS);
  const refusals = CARRIER_ERRORS.includes(end.reason) ? refusals_in_row + 1 : 0;
  return {
    memory: { recent_ends: JSON.stringify(ends), refusals_in_row: refusals },
    verdict: verdictOn(ends, refusals, end.reason),
  };
}

/**
 * A restart of the service takes all live calls of a batch at once and says nothing about the next ones: it counts as
 * one failure. A service that dies again and again still stops the batch.
 */
function isSameInterruption(last: RecentEnd | undefined, end: { at: number; reason: EndedReason }): boolean {
  if (!last?.interrupted || !INTERRUPTIONS.includes(end.reason)) return false;
  return Math.abs(end.at - last.at) < ONE_INTERRUPTION_MS;
}

function remember({ at, reason }: { at: number; reason: EndedReason }): RecentEnd {
  const end = { at, technical: isTechnical(reason) };
  return INTERRUPTIONS.includes(reason) ? { ...end, interrupted: true } : end;
}

function verdictOn(ends: readonly RecentEnd[], refusals: number, last: EndedReason): Verdict {
  if (refusals >= MOST_REFUSALS)
    return { kind: 'abort', reason: `the carrier failed ${MOST_REFUSALS} calls in a row` };
  if (last === 'provider_refused' && refusals >= MOST_OUTRIGHT_REFUSALS)
    return {
      kind: 'abort',
      reason: 'the carrier refuses the calls: check its credentials and the caller id',
    };
  const failures = ends.filter(({ technical }) => technical).length;
  if (ends.length < FEWEST_ENDS || failures <= ends.length * HIGHEST_SHARE) return null;
  return {
    kind: 'pause',
    reason: `${failures} of the last ${ends.length} calls failed for technical reasons`,
  };
}
