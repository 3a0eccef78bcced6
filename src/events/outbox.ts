import { insertInto } from '#store/statements/insert.js';
import type { SqlValue, Tx } from '#store/unit.js';
import { envelopeOf } from './envelope.js';
import type { NewEvent } from './new-event.js';

/**
 * Writes events in the transaction of the change that they announce. A stored body is the envelope to the byte, so that
 * a later signature covers exactly what was decided here.
 * @returns those that a webhook subscribes to, found by the same statement: most changes have none
 */
export async function writeEvents(tx: Tx, events: readonly NewEvent[]): Promise<NewEvent[]> {
  if (events.length === 0) return [];
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
  return events.filter(({ id }) => !unwanted.has(id));
}

/** An event for one receiver, which no webhook subscribes to: a notification of a schedule, or a sample. */
export interface AddressedEvent extends Pick<NewEvent, 'id' | 'workspace' | 'subjectId' | 'at'> {
  type: string;
  /** The envelope, to the byte. */
  body: string;
}

/** Writes an event that its writer delivers. */
export async function writeAddressedEvent(tx: Tx, event: AddressedEvent): Promise<void> {
  await insertInto(tx, 'events', {
    id: event.id,
    workspace: event.workspace,
    type: event.type,
    subject_id: event.subjectId,
    body: event.body,
    created_at: event.at,
  });
}
