import { nextOpenAt } from '#policy/hours/calling-hours.js';
import type { CallWindow } from '#policy/hours/call-window.js';

/** How many numbers of one batch are released in one turn: small, so that batches take fair turns. */
export const NUMBERS_PER_TURN = 10;
/**
 * So many due calls of batches in the dialler's queue keep every line busy; further ones would only grow old there.
 * Batches share it, so that a large one that came first keeps out none that comes later.
 */
export const FULL_QUEUE = 100;
/** How long a batch stands back from a full queue. */
export const QUEUE_PAUSE_MS = 500;

/** What decides whether a batch dials now. Instants are epoch milliseconds. */
export interface PacingInput {
  now: number;
  scheduledAt: number;
  /** One without a zone is a matter of each number, and of policy. */
  window: CallWindow | null;
  maxConcurrency: number;
  /** Calls of the batch that are queued, ringing or talking. */
  inFlight: number;
  /** When the first waiting number is due; null when none waits. */
  nextDueAt: number | null;
  /** Due calls of the batch that wait for the dialler. */
  queued: number;
  /** How many batches have such calls, this one included. */
  batchesQueued: number;
}

/**
 * What a batch does next: it releases so many numbers; or none, until an instant (null: until one of its calls ends).
 */
export interface Turn {
  release: number;
  until: number | null;
}

/**
 * The one rule of pacing, asked by the feeder on the real clock and by the preflight on a virtual one.
 */
export function nextTurn(standing: PacingInput): Turn {
  const { now, scheduledAt, window, maxConcurrency, inFlight, nextDueAt } = standing;
  if (nextDueAt === null) return { release: 0, until: null };
  const dueAt = Math.max(scheduledAt, nextDueAt);
  if (dueAt > now) return { release: 0, until: dueAt };
  const opensAt = window?.timezone ? nextOpenAt(window, [], now) : now;
  if (opensAt === null || opensAt > now) return { release: 0, until: opensAt };
  const room = maxConcurrency - inFlight;
  if (room <= 0) return { release: 0, until: null };
  const left = shareOfQueue(standing.batchesQueued) - standing.queued;
  if (left <= 0) return { release: 0, until: now + QUEUE_PAUSE_MS };
  return { release: Math.min(room, NUMBERS_PER_TURN, left), until: null };
}

/** How many calls a batch may have in the queue: an even part of it, and a turn's worth at least. */
function shareOfQueue(batches: number): number {
  return Math.max(NUMBERS_PER_TURN, Math.floor(FULL_QUEUE / batches));
}
