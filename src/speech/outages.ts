import type { Clock } from '#kernel/time/clock.js';
import { SpeechError, type SpeechFailure } from './speech-error.js';

/** A voice or a recogniser, and its account: one key of one server. */
export interface SpeechSource {
  provider: string;
  account: string;
}

/** A speech provider that is left out. */
export interface SpeechOutage {
  provider: string;
  failure: SpeechFailure;
  /** Start of the outage (epoch milliseconds). */
  sinceMs: number;
  /** Time of the next attempt (epoch milliseconds); null if only a change of settings helps. */
  untilMs: number | null;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const LONGEST_WAIT_MS = MINUTE_MS;
/** A provider that fails repeatedly is left out twice as long each time, up to a minute. */
const FIRST_WAIT_MS = 5 * SECOND_MS;

/** How long a provider is left out; null until the settings change. Failures caused by the request have no entry. */
const CONSEQUENCES: Readonly<Partial<Record<SpeechFailure, number | null>>> = {
  refused_credentials: null,
  quota: 5 * MINUTE_MS,
  // Usually a limit on simultaneous sentences: the next one may succeed.
  rate_limited: 2 * SECOND_MS,
  unavailable: FIRST_WAIT_MS,
  timeout: FIRST_WAIT_MS,
  cut: FIRST_WAIT_MS,
  bad_answer: FIRST_WAIT_MS,
};
const GROWING: ReadonlySet<SpeechFailure> = new Set(['unavailable', 'timeout', 'cut', 'bad_answer']);

/** The speech providers left out in this process after a failure, for a time that depends on the failure. */
export class SpeechOutages {
  readonly #clock: Clock;
  readonly #known = new Map<string, { outage: SpeechOutage; failures: number; untilMonotonicMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isDown({ account }: SpeechSource): boolean {
    const known = this.#known.get(account);
    return known !== undefined && known.untilMonotonicMs > this.#clock.monotonicMs();
  }

  /** All present outages. */
  outages(): SpeechOutage[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#known.values()]
      .filter(({ untilMonotonicMs }) => untilMonotonicMs > nowMs)
      .map(({ outage }) => outage);
  }

  worked({ account }: SpeechSource): void {
    this.#known.delete(account);
  }

  failed({ account, provider }: SpeechSource, error: unknown): void {
    const failure = error instanceof SpeechError ? error.failure : 'bad_answer';
    const usualMs = CONSEQUENCES[failure];
    if (usualMs === undefined) return;
    const before = this.#known.get(account);
    const failures = (before?.failures ?? 0) + 1;
    const sinceMs = before?.outage.sinceMs ?? this.#clock.wallMs();
    const waitMs = usualMs === null ? Infinity : waitOf(error, failure, usualMs, failures);
    this.#known.set(account, {
      failures,
      untilMonotonicMs: this.#clock.monotonicMs() + waitMs,
      outage: {
        provider,
        failure,
        sinceMs,
        untilMs: waitMs === Infinity ? null : this.#clock.wallMs() + waitMs,
      },
    });
  }
}

function waitOf(error: unknown, failure: SpeechFailure, usualMs: number, failures: number): number {
  const askedMs = error instanceof SpeechError ? error.retryAfterMs : null;
  if (failure === 'rate_limited' && askedMs !== null)
    return Math.min(Math.max(askedMs, SECOND_MS), LONGEST_WAIT_MS);
  return GROWING.has(failure) ? Math.min(usualMs * 2 ** (failures - 1), LONGEST_WAIT_MS) : usualMs;
}
