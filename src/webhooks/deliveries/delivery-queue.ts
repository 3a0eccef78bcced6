import { derivedId } from '#kernel/ids/ids.js';
import type { Tx } from '#store/unit.js';

/** An event and the webhook that it goes to. */
export interface NewDelivery {
  /** The event's. */
  id: string;
  workspace: string;
  webhookId: string;
  type: string;
  subjectId: string;
  at: number;
}

/**
 * Puts an event on its way to a webhook. The id follows from both, so that the unit gives the same when it is repeated.
 */
export async function enqueueDelivery(tx: Tx, delivery: NewDelivery): Promise<string> {
  const id = derivedId('dlv', delivery.at, delivery.id, delivery.webhookId);
  await tx.run(
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
