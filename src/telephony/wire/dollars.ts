/** An amount as carriers write it: a decimal number, below zero where it is taken off an account. Null for none. */
export function readDollars(written: string | null): number | null {
  if (written === null || !/^-?\d+(?:\.\d+)?$/.test(written.trim())) return null;
  return Math.abs(Number(written));
}
