/** Result of verifying a carrier's request. */
export interface Verdict {
  /** True if the signature matches one of the current secrets. */
  genuine: boolean;
  /**
   * Key of the message, equal for its copies and unique among the carrier's messages; null if copies cannot be told
   * from equal messages. A copy may be a retry after a lost answer: it gets the first answer again (see
   * `SeenRequests`), without a second effect.
   */
  replayable: string | null;
}

export const REFUSED: Verdict = Object.freeze({ genuine: false, replayable: null });
