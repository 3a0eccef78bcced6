import { describe, expect, it } from 'vitest';
import { STATS_WINDOWS, slicesOf } from '#calls/statistics/stats-window.js';
import { percentile } from '#kernel/measuring/percentile.js';

const now = Date.UTC(2026, 10, 25, 9, 28, 22);

describe('the slices of a window', () => {
  it.each(STATS_WINDOWS)('of %s follow each other without a gap, and the last one is now', (window) => {
    const slices = slicesOf(window, now);
    for (const [index, { from, until }] of slices.entries()) {
      expect(until).toBeGreaterThan(from);
      if (index > 0) expect(from).toBe(slices[index - 1]!.until);
    }
    const last = slices.at(-1)!;
    expect(last.from).toBeLessThanOrEqual(now);
    expect(last.until).toBeGreaterThan(now);
  });

  it('begin at round instants', () => {
    expect(slicesOf('1h', now)[0]).toEqual({
      from: Date.UTC(2026, 10, 25, 8, 30),
      until: Date.UTC(2026, 10, 25, 8, 35),
    });
    expect(slicesOf('24h', now)[0]!.from).toBe(Date.UTC(2026, 10, 24, 10));
    expect(slicesOf('7d', now)[0]!.from).toBe(Date.UTC(2026, 10, 18, 12));
    expect(slicesOf('30d', now)[0]!.from).toBe(Date.UTC(2026, 9, 27));
    expect(slicesOf('24h', Date.UTC(2026, 10, 25)).at(-1)!.from).toBe(Date.UTC(2026, 10, 25));
  });
});

describe('a percentile', () => {
  it.each([
    [[], 0.5, null],
    [[7], 0.95, 7],
    [[1, 2, 3, 4], 0.5, 2],
    [[1, 2, 3, 4], 0.95, 4],
  ])('of %j at %d is %j', (sorted, share, expected) => {
    expect(percentile(sorted, share)).toBe(expected);
  });
});
