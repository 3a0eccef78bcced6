import { nextOpenAt } from '#policy/hours/calling-hours.js';
import type { CallWindow } from '#policy/hours/call-window.js';

// The pacing rule of batches: how many numbers (recipients) a batch may release to the dialler now, and when next.

/** Numbers of one batch released per step: few, so that batches take turns. */
export const NUMBERS_PER_STEP = 10;
/**
 * The limit of due batch calls in the dialler's queue: enough to keep the dialler busy; more would only wait there.
 * Batches share the limit, so that a large batch does not shut out later batches.
 */
export const FULL_QUEUE = 100;
/**
 * The delay of a batch while its share of the queue is full, or while its numbers are about to be changed elsewhere.
 */
export const QUEUE_PAUSE_MS = 500;

/** Input of the pacing rule. Instants are epoch milliseconds. */
export interface PacingInput {
  now: number;
  scheduledAt: number;
  /** A window without a zone depends on each number: the policy applies it. */
  window: CallWindow | null;
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
 * The next step of a batch: release this many numbers, or none before `until` (null: before one of its calls ends, or
 * never).
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

/** The most queued calls of a batch: an even share, but at least one step. */
function shareOfQueue(batches: number): number {
  return Math.max(NUMBERS_PER_STEP, Math.floor(FULL_QUEUE / batches));
}
