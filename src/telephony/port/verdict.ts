/** The result of verifying the signature of a carrier's webhook request (`CarrierWebhooks.verify`). */
export interface Verdict {
  /** True if the signature matches one of the current secrets. */
  genuine: boolean;
  /**
   * The key of the message for detecting copies: equal for copies and unique among the carrier's messages. Null if
   * copies cannot be distinguished from further messages with the same content. A copy may be a retry after a lost
   * answer, so it gets the first answer again (see `SeenRequests`), without a second effect.
   */
  replayKey: string | null;
}

/** The result for a request with a wrong, old or missing signature. */
export const REFUSED: Verdict = Object.freeze({ genuine: false, replayKey: null });
