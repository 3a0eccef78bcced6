import { subscribe } from '#webhooks/registrations/webhook-store.js';
import type { EventFilters } from '#events/event-filters.js';
import type { EventType } from '#events/event-types.js';
import {
  addNotificationTarget,
  moveNotificationTarget,
  removeNotificationTarget,
  type NotificationTarget,
} from '#webhooks/registrations/notification-target.js';
import type { NewEvent } from '#events/outbox.js';
import {
  recordEvents,
  recordNotification,
  type NewNotification,
} from '#webhooks/deliveries/record-events.js';
import { defineTransactions } from '#store/transaction.js';

/** The functions of the room as units of their own, and a look at what they left. */
export const eventTransactions = defineTransactions('event-test', {
  record: (tx, args: NewEvent) => recordEvents(tx, [args]),
  recordAll: (tx, args: { events: readonly NewEvent[] }) => recordEvents(tx, args.events),

  /** Records, and then fails: nothing may be left of it. */
  async recordAndFail(tx, args: NewEvent): Promise<void> {
    await recordEvents(tx, [args]);
    throw new Error('after the event');
  },

  notify: (tx, args: NewNotification) => recordNotification(tx, args),
  addTarget: (tx, args: NotificationTarget & { at: number }) => addNotificationTarget(tx, args, args.at),
  moveTarget: (tx, args: { webhookId: string; url: string; at: number }) => moveNotificationTarget(tx, args),
  removeTarget: (tx, args: { webhookId: string; at: number }) => removeNotificationTarget(tx, args),

  /** What the sender does with a receiver that says it is gone. */
  async switchOff(tx, webhookId: string): Promise<void> {
    await tx.run(
      "update webhooks set active = 0, disabled_reason = 'gone', failures_in_row = 10, probe_at = 1 where id = ?",
      webhookId,
    );
  },

  async target(tx, webhookId: string) {
    const columns = 'url, secret, active, disabled_reason, failures_in_row, probe_at';
    return (await tx.get(`select ${columns} from webhooks where id = ?`, webhookId)) ?? null;
  },

  /** A bare registration with a subscription. */
  async register(
    tx,
    args: {
      webhookId: string;
      workspace: string;
      events: readonly EventType[];
      filters?: EventFilters | undefined;
    },
  ): Promise<void> {
    await tx.run(
      `insert into webhooks (id, workspace, url, secret, events, filters, retry_policy, headers, active, created_at, updated_at)
       values (?, ?, 'https://example.com/', 's', '[]', '{}', '{}', '{}', 1, 1, 1)`,
      args.webhookId,
      args.workspace,
    );
    await subscribe(tx, { ...args, filters: args.filters ?? null });
  },

  async deliveries(tx): Promise<{ webhook: string; event: string; type: string; status: string }[]> {
    const rows = await tx.all('select * from deliveries order by event_id, webhook_id');
    return rows.map((row) => ({
      webhook: String(row['webhook_id']),
      event: String(row['event_id']),
      type: String(row['event_type']),
      status: String(row['status']),
    }));
  },

  async bodies(tx): Promise<string[]> {
    const rows = await tx.all('select body from events order by id');
    return rows.map((row) => String(row['body']));
  },
});
