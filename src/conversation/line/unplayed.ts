import type { Line } from '#conversation/talk/conversation.js';

/** A peer that says that it holds back more than this is not waited for any longer. */
const LONGEST_MS = 3_000;

/** How far the peer's playing lies behind, in milliseconds, as far as it is waited for. */
export function unplayedMs({ lagMs = 0 }: Pick<Line, 'lagMs'>): number {
  return Math.min(lagMs, LONGEST_MS);
}
