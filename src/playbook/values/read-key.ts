/** The answer of a key, as telephones have always done it: 1 is the first, 2 the second. Spoken numbers are words. */
export function readKey<Value extends string>(text: string, values: readonly Value[]): Value | null {
  return /^[1-9]$/.test(text) ? (values[Number(text) - 1] ?? null) : null;
}
