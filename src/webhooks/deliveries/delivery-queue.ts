import { derivedId } from '#kernel/ids/ids.js';
import type { Tx } from '#store/transaction.js';

/** An event, and the webhook that receives it. */
export interface NewDelivery {
  /** The id of the event. */
  id: string;
  workspace: string;
  webhookId: string;
  type: string;
  subjectId: string;
  /** The instant of the event (epoch milliseconds). */
  at: number;
}

/**
 * Enqueues an event for a webhook, due at once; `Sender` sends it after the commit. Returns the id of the delivery,
 * which is derived from event and webhook, so that a repeated transaction makes the same id.
 */
export function enqueueDelivery(tx: Tx, delivery: NewDelivery): string {
  const id = derivedId('dlv', delivery.at, delivery.id, delivery.webhookId);
  tx.post(
    `insert into deliveries (id, workspace, webhook_id, event_id, event_type, subject_id, status, attempts, tries,
       next_at, created_at)
     values (?, ?, ?, ?, ?, ?, 'pending', 0, 0, ?, ?)`,
    id,
    delivery.workspace,
    delivery.webhookId,
    delivery.id,
    delivery.type,
    delivery.subjectId,
    delivery.at,
    delivery.at,
  );
  return id;
}
