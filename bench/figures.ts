/** The value below which this share of all lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The value in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Writes a line of the result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
