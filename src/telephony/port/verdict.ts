/** What the signature of a request of a carrier tells. */
export interface Verdict {
  /** The carrier has sent it, with one of the secrets that are good now. */
  genuine: boolean;
  /**
   * The same for every copy of one message, and for no other message of that carrier; null where nothing tells copies
   * from messages that happen to say the same. A copy may be an honest retry of a carrier that has missed our answer:
   * it is given the answer of the first (see `SeenRequests`), neither a refusal nor a second effect.
   */
  replayable: string | null;
}

export const REFUSED: Verdict = Object.freeze({ genuine: false, replayable: null });
