import type { Ids } from '#kernel/ids/ids.js';
import type { Tx } from '#store/transaction.js';

/**
 * The receiver of a schedule's notifications, at the schedule's `webhook_url`. It is stored as a webhook that no list
 * shows, so that its deliveries are sent, retried and logged like those of other webhooks. It subscribes to no events:
 * notifications are addressed to it (`writeAddressedEvent`).
 */
export interface NotificationTarget {
  /** `wh_…`; the schedule stores it. */
  webhookId: string;
  workspace: string;
  /** The id of the schedule. */
  ownerId: string;
  /** Must have passed `checkReceiverUrl`. */
  url: string;
  /** From {@link newWebhookSecret}; shown to the client once. */
  secret: string;
}

const SECRET_BYTES = 32;

/** Creates a signing secret in the form of Standard Webhooks: `whsec_` and base64. */
export function newWebhookSecret(ids: Ids): string {
  return `whsec_${ids.secret(SECRET_BYTES).toString('base64')}`;
}

/** Stores a target, in the transaction that creates its schedule. */
export async function addNotificationTarget(tx: Tx, target: NotificationTarget, at: number): Promise<void> {
  await tx.run(
    `insert into webhooks (id, workspace, owner_id, url, secret, events, filters, retry_policy, headers, active,
       created_at, updated_at)
     values (?, ?, ?, ?, ?, '[]', '{}', '{}', '{}', 1, ?, ?)`,
    target.webhookId,
    target.workspace,
    target.ownerId,
    target.url,
    target.secret,
    at,
    at,
  );
}

/**
 * Changes the URL of a target, for later notifications and for retries of earlier notifications. The secret stays. The
 * target becomes active, and its failures so far are forgotten.
 */
export async function moveNotificationTarget(
  tx: Tx,
  change: { webhookId: string; url: string; at: number },
): Promise<void> {
  await tx.run(
    `update webhooks set url = ?, active = 1, disabled_reason = null, failures_in_row = 0, failing_since = null,
       exhausted_in_row = 0, probe_at = null, updated_at = ?, deleted_at = null
     where id = ?`,
    change.url,
    change.at,
    change.webhookId,
  );
}

/** Deletes a target: its pending deliveries are cancelled when they are due. */
export async function removeNotificationTarget(
  tx: Tx,
  removal: { webhookId: string; at: number },
): Promise<void> {
  await tx.run(
    'update webhooks set active = 0, deleted_at = ?, updated_at = ? where id = ?',
    removal.at,
    removal.at,
    removal.webhookId,
  );
}
