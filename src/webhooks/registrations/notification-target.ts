import type { Ids } from '#kernel/ids/ids.js';
import type { Tx } from '#store/unit.js';

/** Where a schedule's notifications go. Signed, retried and logged as any webhook; in no list of webhooks. */
export interface NotificationTarget {
  /** `wh_…`, made with the target and kept by its owner. */
  webhookId: string;
  workspace: string;
  /** The schedule it belongs to. */
  ownerId: string;
  /** Checked before: https, and an address that may be called. */
  url: string;
  /** From {@link newWebhookSecret}; shown to the client once. */
  secret: string;
}

const SECRET_BYTES = 32;

/** A secret to sign with, in the form of Standard Webhooks: `whsec_` and base64. */
export function newWebhookSecret(ids: Ids): string {
  return `whsec_${ids.secret(SECRET_BYTES).toString('base64')}`;
}

/** Keeps a target, in the transaction that creates its owner. */
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

/** Sends later notifications, and later attempts of earlier ones, to another address. The secret stays. */
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

/** Nothing more is sent there: what is still on its way is cancelled. */
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
