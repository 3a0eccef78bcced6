import { z } from 'zod';
import type { Outcome } from '#dialogue/outcome.js';

/**
 * What follows from a talk, as the call's outcome stores it: the number was suppressed, the caller was transferred, or
 * a call-back was agreed on. The API shows it as `follow_up`.
 */
export const StoredFollowUp = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('suppress') }),
  z.object({ kind: z.literal('transfer'), to: z.string() }),
  z.object({
    kind: z.literal('call_back'),
    /** The time of the call-back (epoch milliseconds); null if none was agreed on. */
    at: z.number().int().nullable(),
    /** The IANA zone in which the time was named. */
    timeZone: z.string().default('UTC'),
    /** The time in the agent's words. */
    said: z.string(),
    /** The id of the schedule that makes the call-back. */
    scheduleId: z.string().nullish(),
  }),
]);
export type StoredFollowUp = z.infer<typeof StoredFollowUp>;

/**
 * The dialogue manager's result of a talk, with the follow-up as it was carried out. `LiveSession` stores it at the end
 * of the call.
 */
export type CallOutcome = Omit<Outcome, 'followUp' | 'inOwnWords'> & { followUp?: StoredFollowUp | null };
