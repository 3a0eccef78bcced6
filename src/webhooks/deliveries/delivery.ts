import { z } from 'zod';
import { defineMachine } from '#kernel/work/machine.js';
import { jsonColumn } from '#store/statements/columns.js';
import { OUTCOME_NAMES } from './outcome.js';
import { retryPolicy } from '#webhooks/registrations/retry-policy.js';

/**
 * The life cycle of a delivery (docs/states.md). A delivery that is `sending` is leased to one process. It returns to
 * `pending` when the lease expires or the attempt will be retried. A replay leads from a finished state back to
 * `pending`, a resend to `sending` for one attempt.
 */
export const deliveryMachine = defineMachine({
  pending: { rank: 0, to: ['sending', 'cancelled'] },
  sending: { rank: 1, to: ['pending', 'delivered', 'failed'] },
  delivered: { rank: 2, to: ['pending', 'sending'] },
  failed: { rank: 2, to: ['pending', 'sending'] },
  cancelled: { rank: 2, to: ['pending', 'sending'] },
});

export type DeliveryStatus = keyof typeof deliveryMachine.rules;
const DELIVERY_STATUSES = deliveryMachine.states as [DeliveryStatus, ...DeliveryStatus[]];

/** A row of `deliveries` joined with its webhook and its last attempt; instants are epoch milliseconds. */
export const DeliveryRow = z.object({
  id: z.string(),
  workspace: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  subject_id: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  /** Attempts so far. */
  attempts: z.int(),
  /**
   * When the next attempt is due. Null if none is planned: the delivery is finished, or it is a test or the resend of a
   * finished delivery, which have a single attempt.
   */
  next_at: z.int().nullable(),
  created_at: z.int(),
  finished_at: z.int().nullable(),
  // Of the webhook.
  url: z.string(),
  retry_policy: jsonColumn(retryPolicy),
  // Of the last attempt; null before the first has ended.
  started_at: z.int().nullable(),
  duration_ms: z.int().nullable(),
  outcome: z.enum(OUTCOME_NAMES).nullable(),
  status_code: z.int().nullable(),
  response_body: z.string().nullable(),
});
export type DeliveryRow = z.output<typeof DeliveryRow>;

/** A row of `delivery_attempts`: an attempt that has ended. */
export const AttemptRow = z.object({
  attempt: z.int(),
  started_at: z.int(),
  duration_ms: z.int(),
  outcome: z.enum(OUTCOME_NAMES),
  status_code: z.int().nullable(),
  response_body: z.string().nullable(),
});
export type AttemptRow = z.output<typeof AttemptRow>;
