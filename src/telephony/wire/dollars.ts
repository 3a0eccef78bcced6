/**
 * Reads the price of a call in US dollars as carriers write it: a decimal number, negative if it is charged
 * (`"-0.0085"` → 0.0085). Null for any other text.
 */
export function readDollars(amount: string | null): number | null {
  if (amount === null || !/^-?\d+(?:\.\d+)?$/.test(amount.trim())) return null;
  return Math.abs(Number(amount));
}
