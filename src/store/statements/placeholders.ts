/** One placeholder for each value: `?, ?, ?`. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
