import { insertInto } from '#store/statements/insert.js';
import type { SqlValue, Tx } from '#store/unit.js';
import { enqueueDelivery } from './delivery-queue.js';
import { envelopeOf } from './envelope.js';
import { NOTIFICATION_TYPES, type NotificationType } from './event-types.js';
import type { NewEvent } from './new-event.js';
import { enqueueForSubscribers } from './subscriptions.js';

/** Something that happened to a run of a schedule, told to the schedule's own `webhook_url` and nobody else. */
export interface NewNotification extends Omit<NewEvent, 'type'> {
  type: NotificationType;
  /** Of the schedule's {@link NotificationTarget}. `subjectId` is the schedule's id. */
  webhookId: string;
}

/**
 * Writes the events of a change in its transaction, and puts each on its way to every webhook that wants it. A stored
 * body is the envelope (Interface: Envelope) to the byte, so that a later signature covers just what was decided here.
 * When nobody wants them, this is one statement.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const values: SqlValue[] = [];
  for (const event of events) {
    values.push(event.id, event.workspace, event.type, event.subjectId, envelopeOf(event), event.at);
  }
  const rows = await tx.all(
    `insert into events (id, workspace, type, subject_id, body, created_at)
     values ${events.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}
     returning id, (select count(*) from subscriptions
       where subscriptions.workspace = events.workspace and subscriptions.event_type = events.type) as subscribers`,
    ...values,
  );
  const unwanted = new Set(rows.filter(({ subscribers }) => subscribers === 0).map(({ id }) => id));
  for (const event of events) if (!unwanted.has(event.id)) await enqueueForSubscribers(tx, event);
}

/** Writes what is to be told to the `webhook_url` of a schedule, in the transaction of the change that it announces. */
export async function recordNotification(tx: Tx, notification: NewNotification): Promise<void> {
  const { event } = NOTIFICATION_TYPES[notification.type];
  await insertInto(tx, 'events', {
    id: notification.id,
    workspace: notification.workspace,
    type: notification.type,
    subject_id: notification.subjectId,
    body: envelopeOf({ ...notification, event }),
    created_at: notification.at,
  });
  await enqueueDelivery(tx, notification);
}
