import { z } from 'zod';
import type { Tx } from '#store/transaction.js';
import { PROBING_AFTER_FAILURES } from '#webhooks/registrations/webhook.js';

/** The pending deliveries of one webhook; instants are epoch milliseconds. */
export interface WebhookQueue {
  webhookId: string;
  /** True if the webhook is inactive or deleted: its deliveries will be cancelled when they are due. */
  isClosed: boolean;
  /** True if the webhook has failed often in a row: one delivery is tried every `PROBE_EVERY_MS`, as a probe. */
  isProbed: boolean;
  /** When the next delivery may be sent or cancelled. */
  dueAt: number;
  /** When the first delivery is due by itself. While the webhook is probed, `dueAt` may be later. */
  oldestDueAt: number;
}

const QueueRow = z.object({
  webhook_id: z.string(),
  active: z.int(),
  failures_in_row: z.int(),
  probe_at: z.int().nullable(),
  due_at: z.int(),
});

/**
 * SQL: all webhooks with pending deliveries. The recursion jumps from webhook to webhook in the index of pending
 * deliveries, so a queue of a million deliveries costs as much as a queue of one delivery.
 */
const QUEUES = `with recursive queues(webhook_id) as (
    select min(webhook_id) from deliveries where status = 'pending'
    union all
    select (select min(later.webhook_id) from deliveries later
      where later.status = 'pending' and later.webhook_id > queues.webhook_id)
    from queues where queues.webhook_id is not null
  )
  select queues.webhook_id, webhooks.active, webhooks.failures_in_row, webhooks.probe_at,
    (select min(next_at) from deliveries
      where deliveries.status = 'pending' and deliveries.webhook_id = queues.webhook_id) as due_at
  from queues join webhooks on webhooks.id = queues.webhook_id`;

/**
 * The queues that are not empty, the earliest due first. Used for claims and for the backlog.
 * @param most the most queues to read (those with the lowest webhook ids); all by default
 */
export async function readQueues(tx: Tx, most?: number): Promise<WebhookQueue[]> {
  const rows = await (most === undefined ? tx.all(QUEUES) : tx.all(`${QUEUES} limit ?`, most));
  return rows
    .map((row) => toQueue(QueueRow.parse(row)))
    .sort((a, b) => a.dueAt - b.dueAt || (a.webhookId < b.webhookId ? -1 : 1));
}

/** The queue of a webhook from its row. A probed webhook is not due before its next probe. */
function toQueue(row: z.output<typeof QueueRow>): WebhookQueue {
  const isClosed = row.active === 0;
  const isProbed = row.failures_in_row >= PROBING_AFTER_FAILURES;
  return {
    webhookId: row.webhook_id,
    isClosed,
    isProbed,
    oldestDueAt: row.due_at,
    dueAt: isProbed && !isClosed ? Math.max(row.due_at, row.probe_at ?? 0) : row.due_at,
  };
}
