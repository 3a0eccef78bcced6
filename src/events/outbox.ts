import { toInstant } from '../kernel/clock.js';
import type { Tx } from '../store/unit.js';
import type { EventType } from './event-types.js';

/** Something that happened, to be told to whoever wants to know. */
export interface NewEvent {
  /** `evt_…`; receivers use it to recognise a repeated delivery (the envelope's `webhook_id`). */
  id: string;
  workspace: string;
  type: EventType;
  /** The call or batch it is about. */
  subjectId: string;
  at: number;
  data: Readonly<Record<string, unknown>>;
}

/**
 * Writes an event in the transaction of the change that it announces. The stored body is the envelope
 * (Interface: Envelope) to the byte, so that a later signature covers just what was decided here.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  const body = JSON.stringify({
    event_type: event.type,
    timestamp: toInstant(event.at),
    webhook_id: event.id,
    data: event.data,
  });
  await tx.run(
    'insert into events (id, workspace, type, subject_id, body, created_at) values (?, ?, ?, ?, ?, ?)',
    event.id,
    event.workspace,
    event.type,
    event.subjectId,
    body,
    event.at,
  );
}
