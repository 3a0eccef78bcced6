import type { EventType } from './event-types.js';

/** Something that happened, to be told to whoever wants to know. */
export interface NewEvent {
  /** `evt_…`; receivers use it to recognise a repeated delivery (the envelope's `webhook_id`). */
  id: string;
  workspace: string;
  type: EventType;
  /** The call or batch it is about. */
  subjectId: string;
  /** Epoch milliseconds. */
  at: number;
  data: Readonly<Record<string, unknown>>;
}
