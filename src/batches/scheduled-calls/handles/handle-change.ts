import type { StatusWord, WantedStatus } from '#schedules/record/status-words.js';

/** A time as written, and its instant. */
export interface WantedTime {
  written: string;
  at: number;
  /** The zone named with it or in which it was read; null or absent for an instant. */
  readIn?: string | null;
}

/** A requested change of a handle; absent fields stay. */
export interface HandleChange {
  name?: string | undefined;
  from?: string | undefined;
  time?: WantedTime | undefined;
  /** The named zone, for this time and later ones; batches keep it. */
  zone?: string | undefined;
  status?: { word: StatusWord; wanted: WantedStatus } | undefined;
}

/** True if the request closes the call: a time in the same request then calls no finished number again. */
export function isClosing({ status }: HandleChange): boolean {
  return status?.wanted === 'cancelled' || status?.wanted === 'completed';
}

/** Steps after the transaction: a call to hang up. */
export interface FollowUp {
  hangUp: string | null;
}
