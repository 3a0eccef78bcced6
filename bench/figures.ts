/** The value below which this share of all lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The value in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * A goal and whether a value meets it, such as `goal ≥ 0.5: met`.
 * @param unit what stands behind the number, such as ` ms`
 */
export function goal(value: number, relation: '≥' | '≤' | '<', limit: number, unit = ''): string {
  const isMet = relation === '≥' ? value >= limit : relation === '≤' ? value <= limit : value < limit;
  return `goal ${relation} ${limit}${unit}: ${isMet ? 'met' : 'missed'}`;
}

/** The ratios of all rounds in short: their median, and whether it meets its goal. */
export function ratioOf(ratios: readonly number[], least: number): string {
  const ratio = median(ratios);
  return `${ratio.toFixed(2)} (median; ${goal(ratio, '≥', least)})`;
}

/** Writes a line of the result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
