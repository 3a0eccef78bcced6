import type { ScheduleStatus } from './schedule-machine.js';

/** Status words that a client may send under `/batch/scheduled-calls`, and the status that each requests. */
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
 * The status in the word that a client chose last, while that word still fits.
 * @param word as stored; null if no client chose one
 */
export function inChosenWord(status: ScheduleStatus, word: string | null): ScheduleStatus | StatusWord {
  const chosen = (Object.keys(STATUS_WORDS) as StatusWord[]).find((known) => known === word);
  if (chosen === undefined) return status;
  const wanted = STATUS_WORDS[chosen];
  const isSo =
    wanted === status ||
    // The live call is being hung up.
    (wanted === 'cancelled' && status === 'in_progress') ||
    // Closed without being dialled.
    (wanted === 'completed' && status === 'cancelled');
  return isSo ? chosen : status;
}
