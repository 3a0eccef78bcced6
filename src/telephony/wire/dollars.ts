/**
 * An amount as carriers write it: a decimal number, negative if it is charged. Returns it without its sign; null for
 * any other text.
 */
export function readDollars(written: string | null): number | null {
  if (written === null || !/^-?\d+(?:\.\d+)?$/.test(written.trim())) return null;
  return Math.abs(Number(written));
}
