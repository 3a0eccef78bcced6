import type { Line } from '../talk/conversation.js';

/** A peer that says that it holds back more than this is not waited for any longer. */
const LONGEST_MS = 3_000;

/** For how long what was sent may still be played, in milliseconds: whoever ends the stream takes that away. */
export function unplayedMs({ lagMs = 0 }: Pick<Line, 'lagMs'>): number {
  return Math.min(lagMs, LONGEST_MS);
}
