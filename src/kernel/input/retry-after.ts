/**
 * Parses the header `Retry-After` of another server (a carrier, a language model, a webhook's receiver): seconds, also
 * with a fraction, or an HTTP date (RFC 9110, section 10.2.3).
 * @param sinceMs when the response arrived (epoch milliseconds)
 * @returns milliseconds to wait from then, or null for an absent or invalid header
 */
export function readRetryAfter(header: string | null, sinceMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}(\.\d+)?$/.test(header.trim())) return Number(header) * 1_000;
  // `Date.parse` takes a bare number for a year; an HTTP date begins with the name of a day.
  const at = /^\s*[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - sinceMs);
}
