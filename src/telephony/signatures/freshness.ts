/** The largest age of a signed message, and the largest difference of clocks, as in the carriers' SDKs. */
const TOLERANCE_SECONDS = 300;
/** A date in whole Unix seconds; a number with more digits is no date. */
const UNIX_SECONDS = /^\d{1,12}$/;

/**
 * True if a message was signed within five minutes of its receipt, before or after. Older messages may be replays, and
 * a message dated in the future could be replayed for longer than five minutes. Used to verify the webhooks of jambonz,
 * Telnyx and Vonage.
 * @param signedAtSeconds Unix seconds
 * @param receivedAtMs epoch milliseconds; rounded down to seconds, as carriers do
 */
export function isFresh(signedAtSeconds: number, receivedAtMs: number): boolean {
  return Math.abs(Math.floor(receivedAtMs / 1000) - signedAtSeconds) <= TOLERANCE_SECONDS;
}

/** {@link isFresh} for the text of a header; false if the text is no number of seconds. */
export function isFreshText(signedAt: string, receivedAtMs: number): boolean {
  return UNIX_SECONDS.test(signedAt) && isFresh(Number(signedAt), receivedAtMs);
}
