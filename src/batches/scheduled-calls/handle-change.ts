import type { StatusWord, WantedStatus } from '../../schedules/record/status-words.js';

/** A time as it was written, and its instant. */
export interface WantedTime {
  written: string;
  at: number;
}

/** What is wanted of whatever has a handle; what is left out stays. */
export interface HandleChange {
  name?: string | undefined;
  from?: string | undefined;
  /** A new time, and the zone that was named with it. */
  time?: (WantedTime & { zone?: string | undefined }) | undefined;
  status?: { word: StatusWord; wanted: WantedStatus } | undefined;
}

/** What remains to be done outside the database: a call to hang up. */
export interface FollowUp {
  hangUp: string | null;
}
