/** How long the steps of dialling may take, in milliseconds. */
export interface DialTimings {
  /** From "about to dial" until the carrier must have heard of it. */
  deadlineMs: number;
  /** How long a claimed attempt is nobody else's. */
  leaseMs: number;
  /** How long the carrier may take to answer a request. */
  requestTimeoutMs: number;
  /** How long an uncertain attempt is left to a late answer before the carrier is asked. */
  lateAnswerMs: number;
  /** Two look-ups that find nothing must lie this far apart before a call counts as never dialled. */
  betweenLookUpsMs: number;
}

/**
 * All steps in proportion to the deadline, so that none outlives the one that relies on it: a request is over before
 * the deadline, and nobody takes over before it. With 30 s: a lease of 45 s, 10 s for a request, 15 s between look-ups.
 */
export function dialTimings(deadlineMs: number): DialTimings {
  return {
    deadlineMs,
    leaseMs: deadlineMs * 1.5,
    requestTimeoutMs: Math.round(deadlineMs / 3),
    lateAnswerMs: Math.round(deadlineMs / 6),
    betweenLookUpsMs: deadlineMs / 2,
  };
}
