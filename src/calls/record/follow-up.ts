import { z } from 'zod';
import type { Outcome } from '#dialogue/outcome.js';

/**
 * The follow-up of a talk, as the call's outcome stores it: the number was suppressed, the caller was transferred, or a
 * call-back was agreed. `at` is in epoch milliseconds; null without a time.
 */
export const StoredFollowUp = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('suppress') }),
  z.object({ kind: z.literal('transfer'), to: z.string() }),
  z.object({
    kind: z.literal('call_back'),
    at: z.number().int().nullable(),
    timeZone: z.string().default('UTC'),
    said: z.string(),
    /** The id of the schedule that makes the call-back. */
    scheduleId: z.string().nullish(),
  }),
]);
export type StoredFollowUp = z.infer<typeof StoredFollowUp>;

/** The dialogue manager's result of a talk, with the follow-up as it was carried out. */
export type CallOutcome = Omit<Outcome, 'followUp' | 'inOwnWords'> & { followUp?: StoredFollowUp | null };
