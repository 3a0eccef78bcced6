import { z } from 'zod';
import { defineMachine } from '#kernel/work/machine.js';
import { LANES } from './dial-lane.js';

// The entries of the dial queue (table `dial_attempts`): their life cycle and their row. `Dialler` claims attempts that
// are due, and `Reconciler` settles attempts whose outcome is unknown.

/**
 * The life cycle of a dial attempt (docs/states.md). It ensures that a phone never rings twice for one request:
 *
 *     pending → claimed → dialling → placed → ended
 *        │         │ └─→ pending │ └─→ uncertain → placed, pending (see below), ended
 *        └── ended ┘             └─→ pending, ended
 *
 * A carrier's own report that it has the call makes the attempt `placed` from any status before its end, so that it is
 * not dialled again. `dialling` is stored before the dial request is sent. Once the request may have been sent, an
 * attempt goes back to `pending` only if the carrier refuses the request for now, if exact look-ups find no call, or if
 * the carrier recognises a repeated reference ({@link mayHaveRung}).
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

/** SQL condition for attempts that may move to a status, from the table: `status in ('claimed', …)`. */
export function whereMayBecome(status: AttemptStatus): string {
  const sources = attemptMachine.leadingTo(status).map((source) => `'${source}'`);
  return `status in (${sources.join(', ')})`;
}

/**
 * SQL condition on calls: no attempt of the call waits in the dial queue. The time limits of calls do not apply to a
 * call that waits there, even if it was dialled before.
 */
export const IS_NOT_IN_DIAL_QUEUE = `not exists
  (select 1 from dial_attempts where call_id = calls.id and dial_attempts.status = 'pending')`;

/** The value of an instant that cannot be read from a corrupt row: long past. */
export const UNREADABLE_AT = 0;

/**
 * A dial attempt as its row holds it. Its id is the reference that the carrier receives and returns. An unreadable
 * instant of a corrupt row counts as long past, so that a claim which includes this row does not fail for all others.
 */
export const DialAttempt = z.object({
  id: z.string(),
  call_id: z.string(),
  /** Always 1: a retry of a batch or a schedule is another call. */
  attempt: z.number().int().catch(1),
  status: z.enum(attemptMachine.states as [AttemptStatus, ...AttemptStatus[]]),
  lane: z.enum(LANES),
  due_at: z.number().int().catch(UNREADABLE_AT),
  /** When the call was wanted: the due time before any deferral by the policy. */
  wanted_at: z.number().int().catch(UNREADABLE_AT),
  /** After this instant the call is not dialled any more. */
  expires_at: z.number().int().catch(UNREADABLE_AT),
  /** The deadline of the dial request; null if none was sent, or its outcome is known. See {@link mayHaveRung}. */
  dial_deadline_at: z.number().int().nullable().catch(null),
  node_id: z.string().nullable(),
  /**
   * Until when the process `node_id` holds the attempt. Only an end of the call or a carrier's report overrides this.
   */
  lease_until: z.number().int().nullable(),
  /** How many look-ups at the carrier have found nothing. */
  look_ups: z.number().int().catch(0),
  updated_at: z.number().int().catch(0),
});
export type DialAttempt = z.infer<typeof DialAttempt>;

/**
 * True if the carrier may already have placed this attempt: its answer was lost. The attempt is repeated with the same
 * reference (the carrier ignores a repeat). With any other reference, or hours later, the phone could ring twice; if a
 * repeat is impossible, the call ends as `uncertain`.
 */
export function mayHaveRung({
  dial_deadline_at: deadlineAt,
}: Pick<DialAttempt, 'dial_deadline_at'>): boolean {
  return deadlineAt !== null;
}
