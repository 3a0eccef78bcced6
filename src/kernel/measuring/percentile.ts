/** The nearest-rank percentile of ascending values; null without values. @param share 0.5 for the median */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
