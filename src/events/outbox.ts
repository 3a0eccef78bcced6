import { postInsert } from '#store/statements/insert.js';
import { textsByRows } from '#store/statements/placeholders.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { envelopeOf } from './envelope.js';
import type { EventType } from './event-types.js';

/*
 * The outbox: events are written in the transaction of the change that they announce, so that none is lost. The webhook
 * module delivers them, and the live stream reads them.
 */

/** An event to write to the outbox. */
export interface NewEvent {
  /** `evt_…`; the envelope's `webhook_id`, by which receivers discard duplicates. */
  id: string;
  workspace: string;
  type: EventType;
  /** The call or batch of the event. */
  subjectId: string;
  /** Epoch milliseconds. */
  at: number;
  data: Readonly<Record<string, unknown>>;
}

/**
 * Writes events in the transaction of the change that they announce; `recordEvents` calls it. The exact envelope is
 * stored: the signatures of all attempts cover the same body.
 * @returns the events that have subscribers; for the others, which are most, the caller has no further work
 */
export async function writeEvents(tx: Tx, events: readonly NewEvent[]): Promise<NewEvent[]> {
  if (events.length === 0) return [];
  const values: SqlValue[] = [];
  for (const event of events) {
    values.push(event.id, event.workspace, event.type, event.subjectId, envelopeOf(event), event.at);
  }
  const rows = await tx.all(insertEvents(events.length), ...values);
  const unsubscribed = new Set(rows.filter(({ subscribers }) => subscribers === 0).map(({ id }) => id));
  return events.filter(({ id }) => !unsubscribed.has(id));
}

/** True if an event was written before, as by a write that is repeated because its result was lost. */
export async function isEventWritten(tx: Tx, id: string): Promise<boolean> {
  return (await tx.get('select 1 from events where id = ?', id)) !== undefined;
}

/** The statement that inserts this many events, and counts the subscribed webhooks of each. */
const insertEvents = textsByRows(
  (rows) => `insert into events (id, workspace, type, subject_id, body, created_at)
    values ${rows}
    returning id, (select count(*) from subscriptions
      where subscriptions.workspace = events.workspace and subscriptions.event_type = events.type) as subscribers`,
  6,
);

/**
 * An event for one receiver, without subscriptions: a notification of a schedule, or a test event of a webhook. That
 * schedule or webhook is its subject.
 */
export interface AddressedEvent extends Pick<NewEvent, 'id' | 'workspace' | 'subjectId' | 'at'> {
  type: string;
  /** The envelope: the exact text that is sent. */
  body: string;
}

/** Writes an event for one receiver; the caller enqueues its delivery. */
export function writeAddressedEvent(tx: Tx, event: AddressedEvent): void {
  postInsert(tx, 'events', {
    id: event.id,
    workspace: event.workspace,
    type: event.type,
    subject_id: event.subjectId,
    body: event.body,
    created_at: event.at,
  });
}
