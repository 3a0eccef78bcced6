import type { Line } from '#conversation/talk/conversation.js';

/** Upper limit of the lag: a peer that reports more is not waited for. */
const LONGEST_LAG_MS = 3_000;

/**
 * Milliseconds of sent sound that the peer has not played, as far as the peer reports them, up to three seconds.
 * `Channel` lets that sound play out before a hang-up or transfer.
 */
export function unplayedMs({ lagMs = 0 }: Pick<Line, 'lagMs'>): number {
  return Math.min(lagMs, LONGEST_LAG_MS);
}
