import { z } from 'zod';
import { eventMatches, EventFilters, type FilteredEvent } from '#events/event-filters.js';
import { envelopeOf } from '#events/envelope.js';
import { EVENT_TYPES, NOTIFICATION_TYPES, type NotificationType } from '#events/event-types.js';
import type { NewEvent } from '#events/outbox.js';
import { writeAddressedEvent, writeEvents } from '#events/outbox.js';
import { jsonColumn } from '#store/statements/columns.js';
import type { Tx } from '#store/transaction.js';
import { enqueueDelivery } from './delivery-queue.js';

/** A notification about a run of a schedule, which only the schedule's own `webhook_url` receives. */
export interface NewNotification extends Omit<NewEvent, 'type'> {
  type: NotificationType;
  /** The id of the schedule's `NotificationTarget`; `subjectId` is the schedule's id. */
  webhookId: string;
}

/**
 * Writes the events of a change, and enqueues their deliveries to subscribed webhooks, all in the transaction of the
 * change. The calls and batches modules announce their changes by it; schedules use {@link recordNotification}. Without
 * subscribers it takes one statement.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  for (const event of await writeEvents(tx, events)) await enqueueForSubscribers(tx, event);
}

/** Writes a notification for a schedule's `webhook_url`, in the transaction of the change. */
export async function recordNotification(tx: Tx, notification: NewNotification): Promise<void> {
  const { event } = NOTIFICATION_TYPES[notification.type];
  writeAddressedEvent(tx, { ...notification, body: envelopeOf({ ...notification, event }) });
  enqueueDelivery(tx, notification);
}

const SubscriptionRow = z.object({
  webhook_id: z.string(),
  filters: z.union([z.null(), jsonColumn(EventFilters)]),
});

/** Enqueues an event for the subscribed webhooks whose filters it meets. */
async function enqueueForSubscribers(tx: Tx, event: NewEvent): Promise<void> {
  const rows = await tx.all(
    'select webhook_id, filters from subscriptions where workspace = ? and event_type = ?',
    event.workspace,
    event.type,
  );
  let filterData: FilteredEvent | null = null;
  for (const row of rows) {
    const { webhook_id: webhookId, filters } = SubscriptionRow.parse(row);
    if (filters) {
      filterData ??= await filteredEvent(tx, event);
      if (!eventMatches(filters, filterData)) continue;
    }
    enqueueDelivery(tx, { webhookId, ...event });
  }
}

/**
 * The data that filters read. For events about a conversation (group `data`, such as a transcript), these are the data
 * of the event of the call's end, which is written before: their own data have no duration, and some have no direction.
 * Empty if that event is deleted already.
 */
async function filteredEvent(tx: Tx, event: NewEvent): Promise<FilteredEvent> {
  const { group } = EVENT_TYPES[event.type];
  if (group !== 'data') return { group, data: event.data };
  const row = await tx.get(
    `select body from events where subject_id = ? and type in ('call.completed', 'call.failed', 'call.missed')
     order by created_at desc, id desc limit 1`,
    event.subjectId,
  );
  return { group, data: row ? CallEnd.parse(row).body.data : {} };
}

const CallEnd = z.object({
  body: jsonColumn(z.object({ data: z.record(z.string(), z.unknown()) })),
});
