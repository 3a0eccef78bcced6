/**
 * The option that a DTMF key selects: 1 is the first of `values`. Null for other texts and for keys without an option.
 * A key arrives as a text of one digit; recognisers write spoken numbers as words.
 */
export function readDtmfKey<Value extends string>(text: string, values: readonly Value[]): Value | null {
  return /^[1-9]$/.test(text) ? (values[Number(text) - 1] ?? null) : null;
}
