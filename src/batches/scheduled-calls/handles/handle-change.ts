import type { StatusWord, WantedStatus } from '#schedules/record/status-words.js';

/** A time as it was written, and its instant. */
export interface WantedTime {
  written: string;
  at: number;
  /** The zone that was named for it, or in which it was read; null, or left out, for an instant without one. */
  readIn?: string | null;
}

/** What is wanted of whatever has a handle; what is left out stays. */
export interface HandleChange {
  name?: string | undefined;
  from?: string | undefined;
  time?: WantedTime | undefined;
  /** The zone that is named, for this time and later ones: whole batches keep it. */
  zone?: string | undefined;
  status?: { word: StatusWord; wanted: WantedStatus } | undefined;
}

/** Whether somebody is not to be called any more: a time beside that calls nobody again whose turn is over. */
export function isClosing({ status }: HandleChange): boolean {
  return status?.wanted === 'cancelled' || status?.wanted === 'completed';
}

/** What remains to be done outside the database: a call to hang up. */
export interface FollowUp {
  hangUp: string | null;
}
