// The windows of `GET /api/stats`, and the slices of time in which `CallStats` counts their calls.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The windows that a request for statistics may name, each cut into slices of equal length. */
const WINDOWS = {
  '1h': { slices: 12, sliceMs: 5 * MINUTE_MS },
  '24h': { slices: 24, sliceMs: HOUR_MS },
  '7d': { slices: 28, sliceMs: 6 * HOUR_MS },
  '30d': { slices: 30, sliceMs: 24 * HOUR_MS },
} as const;
export type StatsWindow = keyof typeof WINDOWS;
export const STATS_WINDOWS = Object.keys(WINDOWS) as [StatsWindow, ...StatsWindow[]];

/** A span of time from `from` up to, but without, `until` (epoch milliseconds). */
export interface Slice {
  from: number;
  until: number;
}

/**
 * The slices of a window, oldest first, each beginning at a multiple of its length in UTC. The last slice contains
 * `now` (epoch milliseconds), so it is still in progress.
 */
export function slicesOf(window: StatsWindow, now: number): Slice[] {
  const { slices, sliceMs } = WINDOWS[window];
  const last = Math.floor(now / sliceMs) * sliceMs;
  return Array.from({ length: slices }, (_, index) => {
    const from = last - (slices - 1 - index) * sliceMs;
    return { from, until: from + sliceMs };
  });
}
