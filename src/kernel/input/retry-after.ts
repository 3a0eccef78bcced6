/**
 * Reads `Retry-After`: seconds, which some write with a fraction, or a date (RFC 9110).
 * @param sinceMs the instant that a date counts from (epoch milliseconds)
 * @returns milliseconds from then, or null when it says nothing that can be understood
 */
export function readRetryAfter(header: string | null, sinceMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}(\.\d+)?$/.test(header.trim())) return Number(header) * 1_000;
  // What is no date with the name of a day would be taken for a year.
  const at = /^\s*[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - sinceMs);
}
