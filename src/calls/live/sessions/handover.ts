import type { Clock } from '#kernel/time/clock.js';
import type { TransferOutcome } from './transfer.js';

/** A carrier that has handed a line over takes its sound away soon, if at all. */
const UNSURE_MS = 15_000;

/**
 * What is known of whether a line was handed over. A carrier may have done so and its answer be lost: then the one sign
 * of it is that it takes the sound away.
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

  /** Resolves when the carrier has answered; null when it is not being asked. */
  get asking(): Promise<unknown> | null {
    return this.#asking;
  }

  /** Whom the other end talks with now; null as long as it is us. */
  get to(): string | null {
    return this.#to;
  }

  /** Whether that is known by what became of the sound, and not by the carrier's word. */
  get isInferred(): boolean {
    return this.#isInferred;
  }

  /** Whether the carrier says that it was done. */
  async ask(to: string, outcome: Promise<TransferOutcome>): Promise<boolean> {
    this.#asking = outcome;
    const told = await outcome;
    this.#asking = null;
    if (told === 'done') this.#to = to;
    if (told === 'unknown') this.#perhaps = { to, untilMs: this.#clock.monotonicMs() + UNSURE_MS };
    return told === 'done';
  }

  /** The carrier has taken the sound away, and does not say that the call is over. */
  soundIsGone(): void {
    if (this.#to !== null || !this.#perhaps || this.#clock.monotonicMs() >= this.#perhaps.untilMs) return;
    this.#to = this.#perhaps.to;
    this.#isInferred = true;
  }
}
