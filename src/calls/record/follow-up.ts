import { z } from 'zod';
import type { Outcome } from '#dialogue/outcome.js';

/** What follows from a talk, as the call stores it. */
export const StoredFollowUp = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('suppress') }),
  z.object({ kind: z.literal('transfer'), to: z.string() }),
  z.object({
    kind: z.literal('call_back'),
    at: z.number().int().nullable(),
    timeZone: z.string().default('UTC'),
    said: z.string(),
    /** The schedule that makes the call-back. */
    scheduleId: z.string().nullish(),
  }),
]);
export type StoredFollowUp = z.infer<typeof StoredFollowUp>;

/** The dialogue manager's result of a call, and what was done about it. */
export type CallOutcome = Omit<Outcome, 'followUp' | 'inOwnWords'> & { followUp?: StoredFollowUp | null };
