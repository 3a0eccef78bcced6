import type { Clock } from '#kernel/time/clock.js';
import type { TransferOutcome } from './transfer.js';

/**
 * How long after a transfer of unknown outcome a closed stream counts as proof: a carrier that transfers a call closes
 * its stream soon.
 */
const INFERENCE_WINDOW_MS = 15_000;

/**
 * Tracks whether the carrier has transferred a live call to another number. If the carrier's answer was lost, the only
 * sign is that the carrier closes the audio stream. Used by `LiveSession`.
 */
export class Handover {
  readonly #clock: Clock;
  #pending: Promise<TransferOutcome> | null = null;
  #to: string | null = null;
  /** A transfer of unknown outcome, and until when a closed stream proves it (monotonic milliseconds). */
  #uncertain: { to: string; untilMs: number } | null = null;
  #isInferred = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the carrier has answered the transfer request; null when no request is pending. */
  get pending(): Promise<unknown> | null {
    return this.#pending;
  }

  /** The number (E.164) that the caller is connected with now; null while the call is with this service. */
  get to(): string | null {
    return this.#to;
  }

  /** True if the handover is inferred from the closed stream, without the carrier's confirmation. */
  get isInferred(): boolean {
    return this.#isInferred;
  }

  /**
   * Waits for the carrier's answer to a transfer; true if the transfer was done. After an unknown outcome it returns
   * false, and a closed stream may still prove the transfer ({@link streamClosed}).
   * @param to the number (E.164) to which the call is transferred
   */
  async track(to: string, outcome: Promise<TransferOutcome>): Promise<boolean> {
    this.#pending = outcome;
    const result = await outcome;
    this.#pending = null;
    if (result === 'done') this.#to = to;
    if (result === 'unknown')
      this.#uncertain = { to, untilMs: this.#clock.monotonicMs() + INFERENCE_WINDOW_MS };
    return result === 'done';
  }

  /**
   * Handles a closed audio stream whose carrier has not reported the end of the call: soon after a transfer of unknown
   * outcome, it means that the carrier has done the transfer.
   */
  streamClosed(): void {
    if (this.#to !== null || !this.#uncertain || this.#clock.monotonicMs() >= this.#uncertain.untilMs) return;
    this.#to = this.#uncertain.to;
    this.#isInferred = true;
  }
}
