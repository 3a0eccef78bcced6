/** A placeholder for each of some values: `?, ?, ?`. */
export function places(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
