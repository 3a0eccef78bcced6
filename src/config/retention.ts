import type { Settings } from './settings.js';

/** Retention in days; null for no limit. */
export interface Retention {
  decisionDays: number;
  eventDays: number;
  recordingDays: number | null;
  callDays: number | null;
}

/** The retention from the settings. */
export function readRetention(settings: Settings): Retention {
  return {
    decisionDays: settings.DECISION_RETENTION_DAYS,
    eventDays: settings.EVENT_RETENTION_DAYS,
    recordingDays: settings.RECORDING_RETENTION_DAYS,
    callDays: settings.CALL_RETENTION_DAYS,
  };
}
