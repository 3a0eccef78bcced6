import type { Clock } from '#kernel/time/clock.js';
import type { TransferOutcome } from './transfer.js';

/**
 * How long after a transfer of unknown outcome a closed stream counts as proof: a carrier that hands a line over closes
 * its stream soon.
 */
const UNSURE_MS = 15_000;

/**
 * Whether a line was handed over. If the carrier's answer to a transfer was lost, the only sign is that the carrier
 * closes the audio stream.
 */
export class Handover {
  readonly #clock: Clock;
  #asking: Promise<TransferOutcome> | null = null;
  #to: string | null = null;
  #perhaps: { to: string; untilMs: number } | null = null;
  #isInferred = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the carrier has answered; null when no request is pending. */
  get asking(): Promise<unknown> | null {
    return this.#asking;
  }

  /** The number (E.164) that the other end talks with now; null while the line is ours. */
  get to(): string | null {
    return this.#to;
  }

  /** True if the handover is inferred from the closed stream, without the carrier's confirmation. */
  get isInferred(): boolean {
    return this.#isInferred;
  }

  /** Waits for the carrier's answer to a transfer; true when the transfer was done. */
  async ask(to: string, outcome: Promise<TransferOutcome>): Promise<boolean> {
    this.#asking = outcome;
    const told = await outcome;
    this.#asking = null;
    if (told === 'done') this.#to = to;
    if (told === 'unknown') this.#perhaps = { to, untilMs: this.#clock.monotonicMs() + UNSURE_MS };
    return told === 'done';
  }

  /** The carrier has closed the audio stream without reporting the end of the call. */
  soundIsGone(): void {
    if (this.#to !== null || !this.#perhaps || this.#clock.monotonicMs() >= this.#perhaps.untilMs) return;
    this.#to = this.#perhaps.to;
    this.#isInferred = true;
  }
}
