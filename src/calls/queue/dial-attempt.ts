import { z } from 'zod';
import { defineMachine } from '#kernel/work/machine.js';
import { LANES } from './dial-lane.js';

/**
 * The life of one attempt to dial. It exists so that a phone never rings twice for one request:
 *
 *     pending → claimed → dialling → placed → ended
 *        │         │ └─→ pending │ └─→ uncertain → placed, pending (only where nothing can have rung), ended
 *        └── ended ┘             └─→ pending, ended
 *
 * The carrier's own word that it has the call makes it `placed` wherever it stands, so that it is not dialled again.
 * `dialling` is written durably before the carrier hears of it; from then on only the carrier's own word, a look-up
 * that is exact, or a carrier that knows the reference again ({@link mayHaveRung}) may lead back to `pending`.
 */
export const attemptMachine = defineMachine({
  pending: { rank: 0, to: ['claimed', 'placed', 'ended'] },
  claimed: { rank: 1, to: ['pending', 'dialling', 'placed', 'ended'] },
  dialling: { rank: 2, to: ['placed', 'uncertain', 'pending', 'ended'] },
  uncertain: { rank: 3, to: ['placed', 'pending', 'ended'] },
  placed: { rank: 4, to: ['ended'] },
  ended: { rank: 5, to: [] },
});

export type AttemptStatus = keyof typeof attemptMachine.rules;

/** The condition of an update that moves attempts, as the table has it: `status in ('claimed', …)`. */
export function whereMayBecome(status: AttemptStatus): string {
  const sources = attemptMachine.leadingTo(status).map((source) => `'${source}'`);
  return `status in (${sources.join(', ')})`;
}

/** The condition of a query on calls: one that went back to the queue waits there, and nobody minds its time. */
export const IS_DIALLED = `not exists
  (select 1 from dial_attempts where call_id = calls.id and dial_attempts.status = 'pending')`;

/** How an instant reads that cannot be read: long past. */
export const UNREADABLE_AT = 0;

/**
 * One attempt as its row holds it. Its id is the reference that the carrier sees and returns. An instant that cannot be
 * read counts as long past, so that the attempt never holds up others: it has its turn at once, and none after that.
 */
export const DialAttempt = z.object({
  id: z.string(),
  call_id: z.string(),
  attempt: z.number().int().catch(1),
  status: z.enum(attemptMachine.states as [AttemptStatus, ...AttemptStatus[]]),
  lane: z.enum(LANES),
  due_at: z.number().int().catch(UNREADABLE_AT),
  /** When it was to be dialled before the policy put it off. */
  wanted_at: z.number().int().catch(UNREADABLE_AT),
  /** After this instant nobody is phoned any more: the call was wanted at its time. */
  expires_at: z.number().int().catch(UNREADABLE_AT),
  /** After this instant the carrier must not hear of it any more. See {@link mayHaveRung}. */
  dial_deadline_at: z.number().int().nullable().catch(null),
  node_id: z.string().nullable(),
  /** Until when `node_id` alone may touch it. */
  lease_until: z.number().int().nullable(),
  look_ups: z.number().int().catch(0),
  updated_at: z.number().int().catch(0),
});
export type DialAttempt = z.infer<typeof DialAttempt>;

/**
 * Whether a carrier may have made something of an attempt that waits for its turn: nobody has told, and it is to be
 * asked for once more by the same reference, which rings no second phone. Until then nothing else may become of it than
 * a call of which nobody knows whether it rang: with another reference, or hours later, it would ring twice.
 */
export function mayHaveRung({
  dial_deadline_at: deadlineAt,
}: Pick<DialAttempt, 'dial_deadline_at'>): boolean {
  return deadlineAt !== null;
}
