/**
 * Reads an amount of US dollars as carriers write it: a decimal number, negative if it is charged. Returns the amount
 * without its sign; null for any other text.
 */
export function readDollars(written: string | null): number | null {
  if (written === null || !/^-?\d+(?:\.\d+)?$/.test(written.trim())) return null;
  return Math.abs(Number(written));
}
