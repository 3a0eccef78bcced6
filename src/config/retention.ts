import type { Settings } from './settings.js';

/** For how many days things are kept; null for as long as nobody deletes them. */
export interface Retention {
  decisionDays: number;
  eventDays: number;
  recordingDays: number | null;
  callDays: number | null;
}

/** What the settings say about it. */
export function readRetention(settings: Settings): Retention {
  return {
    decisionDays: settings.DECISION_RETENTION_DAYS,
    eventDays: settings.EVENT_RETENTION_DAYS,
    recordingDays: settings.RECORDING_RETENTION_DAYS,
    callDays: settings.CALL_RETENTION_DAYS,
  };
}
