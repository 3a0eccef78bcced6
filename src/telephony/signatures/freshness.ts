/**
 * How far a carrier's clock may be from ours, and how long a message may have been under way: what their SDKs allow.
 */
const TOLERANCE_SECONDS = 300;
/** Whole seconds; more digits than these are no time that has a date. */
const UNIX_SECONDS = /^\d{1,12}$/;

/**
 * Whether a message was signed within five minutes of its coming in, before or after: one from the future could be
 * kept and sent again for as long as it is.
 * @param signedAtSeconds Unix seconds
 * @param receivedAtMs epoch milliseconds; counted in whole seconds, as carriers do
 */
export function isFresh(signedAtSeconds: number, receivedAtMs: number): boolean {
  return Math.abs(Math.floor(receivedAtMs / 1000) - signedAtSeconds) <= TOLERANCE_SECONDS;
}

/** {@link isFresh} for a time in a header; what is no number of seconds is not fresh. */
export function isFreshText(signedAt: string, receivedAtMs: number): boolean {
  return UNIX_SECONDS.test(signedAt) && isFresh(Number(signedAt), receivedAtMs);
}
