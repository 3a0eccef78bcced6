import type { ScheduleStatus } from './schedule-machine.js';

// The status words of `/batch/scheduled-calls`, an older interface for single calls of schedules and batches, whose
// clients choose among synonyms.

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
/** The status that a word requests. */
export type WantedStatus = (typeof STATUS_WORDS)[StatusWord];

/**
 * The status as answers under `/batch/scheduled-calls` show it: the word that a client chose last, while it still fits.
 * @param word as stored; null if no client chose one
 */
export function inChosenWord(status: ScheduleStatus, word: string | null): ScheduleStatus | StatusWord {
  const chosen = (Object.keys(STATUS_WORDS) as StatusWord[]).find((known) => known === word);
  if (chosen === undefined) return status;
  const wanted = STATUS_WORDS[chosen];
  const stillFits =
    wanted === status ||
    // `in_progress`: the live call is being hung up.
    (wanted === 'cancelled' && status === 'in_progress') ||
    // The client completed a schedule that was not dialled yet.
    (wanted === 'completed' && status === 'cancelled');
  return stillFits ? chosen : status;
}
