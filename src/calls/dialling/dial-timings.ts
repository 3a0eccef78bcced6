/** How long the steps of dialling may take, in milliseconds. Used by `Dialler`, `CallPlacer` and `Reconciler`. */
export interface DialTimings {
  /** The time from marking an attempt `dialling` until the carrier must have received the request. */
  deadlineMs: number;
  /** How long a claimed attempt belongs to one process, until it is marked `dialling`. */
  leaseMs: number;
  /** The timeout of a dial request. */
  requestTimeoutMs: number;
  /** How long an uncertain attempt waits for a late answer before the carrier is asked. */
  lateAnswerMs: number;
  /** The time between the two look-ups that must find nothing before a call counts as never dialled. */
  betweenLookUpsMs: number;
}

/**
 * Derives all times from the deadline (setting `DIAL_DEADLINE_SECONDS`), so that no phone rings twice: a dial request
 * ends before the deadline, and no other process takes an attempt over before it. With 30 s: a lease of 45 s, 10 s for
 * a request, 15 s between look-ups.
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
