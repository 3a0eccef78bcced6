import { z } from 'zod';
import type { Tx } from '#store/transaction.js';
import type { DeliveryStatus } from './delivery.js';
import type { OutcomeName } from './outcome.js';
import {
  type DISABLED_REASONS,
  PROBE_EVERY_MS,
  PROBING_AFTER_FAILURES,
} from '#webhooks/registrations/webhook.js';

/**
 * The end of an attempt to deliver, and the next state of its delivery; `DeliveryAttempter` makes it. Instants are
 * epoch milliseconds.
 */
export interface AttemptEnd {
  id: string;
  webhookId: string;
  /** Identifies the claim; see `ClaimedDelivery`. */
  leaseUntil: number;
  /** Number of the attempt, from 1. */
  attempt: number;
  /** Attempts that use up the retry policy: those since the delivery was last queued, without manual attempts. */
  tries: number;
  startedAt: number;
  endedAt: number;
  durationMs: number;
  outcome: OutcomeName;
  statusCode: number | null;
  responseBody: string | null;
  /** The next state of the delivery: `pending` with {@link nextAt}, or a final state. */
  status: Extract<DeliveryStatus, 'pending' | 'delivered' | 'failed'>;
  nextAt: number | null;
  /** True for an attempt by request of a client: its failure does not count against the webhook. */
  isManual: boolean;
  /** True when the receiver answered 410 Gone: the webhook is disabled. */
  switchOff: boolean;
}

/**
 * A webhook is disabled when it has failed for this time without a success, and {@link FAILING_DELIVERIES} were given
 * up.
 */
const FAILING_FOR_MS = 5 * 86_400_000;
/** Deliveries given up (without another retry) in a row; see {@link FAILING_FOR_MS}. */
const FAILING_DELIVERIES = 20;

/** Name of the counter of attempts by outcome. */
export const WEBHOOK_ATTEMPTS = 'webhook_attempts';

/** Name of the counter of webhooks that the service disabled, by reason. */
export const WEBHOOKS_DISABLED = 'webhooks_disabled';

/**
 * Stores the end of an attempt in the delivery log, and updates the delivery and the health of the webhook; for
 * `deliveryTransactions.finish`. Returns false, and stores nothing, if the claim of the delivery has expired: another
 * process may have claimed it.
 */
export async function writeOutcome(tx: Tx, end: AttemptEnd): Promise<boolean> {
  const isOver = end.status !== 'pending';
  const changed = await tx.run(
    `update deliveries set status = ?, attempts = ?, tries = ?, next_at = ?, lease_until = null,
       finished_at = ?
     where id = ? and status = 'sending' and lease_until = ?`,
    end.status,
    end.attempt,
    end.tries,
    end.nextAt,
    isOver ? end.endedAt : null,
    end.id,
    end.leaseUntil,
  );
  if (changed === 0) return false;
  tx.count({ name: WEBHOOK_ATTEMPTS, labels: { outcome: end.outcome } });
  await tx.run(
    `insert into delivery_attempts
       (delivery_id, attempt, started_at, duration_ms, outcome, status_code, response_body)
     values (?, ?, ?, ?, ?, ?, ?)`,
    end.id,
    end.attempt,
    end.startedAt,
    end.durationMs,
    end.outcome,
    end.statusCode,
    end.responseBody,
  );
  if (end.status === 'delivered') await recordSuccess(tx, end.webhookId);
  else if (!end.isManual) await recordFailure(tx, end);
  if (end.switchOff) await switchOff(tx, end, 'gone');
  return true;
}

/** Ends the series of failures of the webhook, if there is one. */
async function recordSuccess(tx: Tx, webhookId: string): Promise<void> {
  await tx.run(
    `update webhooks set failures_in_row = 0, failing_since = null, exhausted_in_row = 0, probe_at = null
     where id = ? and failing_since is not null`,
    webhookId,
  );
}

const Health = z.object({ failing_since: z.int(), exhausted_in_row: z.int() });

/**
 * Counts a failed attempt of the webhook, and a delivery that was given up. May start probing, or disable the webhook.
 */
async function recordFailure(tx: Tx, end: AttemptEnd): Promise<void> {
  const row = await tx.get(
    `update webhooks set failures_in_row = failures_in_row + 1, failing_since = coalesce(failing_since, ?),
       exhausted_in_row = exhausted_in_row + ?,
       probe_at = case when failures_in_row + 1 >= ${PROBING_AFTER_FAILURES} then cast(? as bigint) end
     where id = ? returning failing_since, exhausted_in_row`,
    end.endedAt,
    end.status === 'failed' ? 1 : 0,
    end.endedAt + PROBE_EVERY_MS,
    end.webhookId,
  );
  if (!row) return;
  const health = Health.parse(row);
  const isFailing =
    end.endedAt - health.failing_since >= FAILING_FOR_MS && health.exhausted_in_row >= FAILING_DELIVERIES;
  if (isFailing) await switchOff(tx, end, 'failing');
}

/** Disables a webhook, unless it is inactive already. */
async function switchOff(tx: Tx, end: AttemptEnd, reason: (typeof DISABLED_REASONS)[number]): Promise<void> {
  const changed = await tx.run(
    'update webhooks set active = 0, disabled_reason = ?, updated_at = ? where id = ? and active = 1',
    reason,
    end.endedAt,
    end.webhookId,
  );
  if (changed === 1) tx.count({ name: WEBHOOKS_DISABLED, labels: { disabled_reason: reason } });
}
