import type { ScheduleStatus } from './schedule-machine.js';

/**
 * Words that a client may set for the status of a scheduled call, and what they ask for (Interface: Scheduled call
 * update request).
 */
export const STATUS_WORDS = {
  scheduled: 'scheduled',
  pending: 'scheduled',
  active: 'scheduled',
  paused: 'paused',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  completed: 'completed',
} as const;
export type StatusWord = keyof typeof STATUS_WORDS;
export type WantedStatus = (typeof STATUS_WORDS)[StatusWord];

/**
 * A status as clients see it: in the word that one of them chose last, as long as that still says what is so.
 * @param word as it was kept; null when nobody chose one
 */
export function inChosenWord(status: ScheduleStatus, word: string | null): ScheduleStatus | StatusWord {
  const chosen = (Object.keys(STATUS_WORDS) as StatusWord[]).find((known) => known === word);
  if (chosen === undefined) return status;
  const wanted = STATUS_WORDS[chosen];
  const isSo =
    wanted === status ||
    // It is being hung up.
    (wanted === 'cancelled' && status === 'in_progress') ||
    // It was closed without being dialled.
    (wanted === 'completed' && status === 'cancelled');
  return isSo ? chosen : status;
}
