import type { Line } from '#conversation/talk/conversation.js';

/** A peer that reports a longer playout lag is not waited for. */
const LONGEST_MS = 3_000;

/** The peer's playout lag in milliseconds, capped at the longest time that is waited for. */
export function unplayedMs({ lagMs = 0 }: Pick<Line, 'lagMs'>): number {
  return Math.min(lagMs, LONGEST_MS);
}
