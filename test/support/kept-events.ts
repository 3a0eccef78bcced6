import Database from 'better-sqlite3';
import { join } from 'node:path';

/** An event stored for delivery. */
export interface KeptEvent {
  event_type: string;
  timestamp: string;
  webhook_id: string;
  data: Record<string, unknown>;
}

/** All events about a call in the order of writing, read directly from the database. */
export function keptEvents(dataDir: string, callId: string): KeptEvent[] {
  const database = new Database(join(dataDir, 'callwright.db'), { readonly: true, fileMustExist: true });
  try {
    const bodies = database
      .prepare<[string], string>('select body from events where subject_id = ? order by rowid')
      .pluck()
      .all(callId);
    return bodies.map((body) => JSON.parse(body) as KeptEvent);
  } finally {
    database.close();
  }
}
