/** The option selected by a DTMF key: 1 is the first. Spoken numbers are words, never keys. */
export function readKey<Value extends string>(text: string, values: readonly Value[]): Value | null {
  return /^[1-9]$/.test(text) ? (values[Number(text) - 1] ?? null) : null;
}
