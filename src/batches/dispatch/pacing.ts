import { nextOpenAt } from '#policy/hours/calling-hours.js';
import type { CallWindow } from '#policy/hours/call-window.js';

// The pacing rule of batches: how many numbers (recipients) a batch may release to the dialler now, and when next.

/** The most numbers of one batch released per step: few, so that batches take turns. */
export const NUMBERS_PER_STEP = 10;
/**
 * The limit of due batch calls in the dialler's queue: enough to keep the dialler busy. More calls would only wait
 * there. Batches share the limit, so that a large batch does not shut out later batches; with more than ten batches the
 * calls may exceed it.
 */
export const FULL_QUEUE = 100;
/**
 * The delay until a batch is considered again whose share of the queue is full, or whose numbers another transaction is
 * about to change or dial.
 */
export const QUEUE_PAUSE_MS = 500;

/** Input of the pacing rule. Instants are epoch milliseconds. */
export interface PacingInput {
  now: number;
  scheduledAt: number;
  /** The calling hours of the batch. A window without a zone is ignored here: the policy applies it to each number. */
  window: CallWindow | null;
  /** The limit of `inFlight`. */
  maxConcurrency: number;
  /** Calls of the batch that are queued, ringing or connected. */
  inFlight: number;
  /** When the first waiting number is due; null if none waits. */
  nextDueAt: number | null;
  /** Due calls of the batch in the dialler's queue. */
  queued: number;
  /** Number of batches with due calls in the queue, including this batch. */
  batchesQueued: number;
}

/**
 * The next step of a batch. If `release` is 0, nothing is released before `until`, an instant. Null: the next step is
 * after the end of one of its calls, or there is none. After a release `until` is null, and the rule is asked again.
 */
export interface PacingStep {
  release: number;
  until: number | null;
}

/** The pacing rule, used by the dispatcher on the real clock and by the preflight on a virtual clock. */
export function nextStep(input: PacingInput): PacingStep {
  const { now, scheduledAt, window, maxConcurrency, inFlight, nextDueAt } = input;
  if (nextDueAt === null) return { release: 0, until: null };
  const dueAt = Math.max(scheduledAt, nextDueAt);
  if (dueAt > now) return { release: 0, until: dueAt };
  const opensAt = window?.timezone ? nextOpenAt(window, [], now) : now;
  if (opensAt === null || opensAt > now) return { release: 0, until: opensAt };
  const room = maxConcurrency - inFlight;
  if (room <= 0) return { release: 0, until: null };
  const left = shareOfQueue(input.batchesQueued) - input.queued;
  if (left <= 0) return { release: 0, until: now + QUEUE_PAUSE_MS };
  return { release: Math.min(room, NUMBERS_PER_STEP, left), until: null };
}

/** The most queued calls of a batch: an even share of the queue, but at least the numbers of one step. */
function shareOfQueue(batches: number): number {
  return Math.max(NUMBERS_PER_STEP, Math.floor(FULL_QUEUE / batches));
}
