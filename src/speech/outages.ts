import type { Clock } from '#kernel/time/clock.js';
import { SpeechError, type SpeechFailure } from './speech-error.js';

/** A voice or a recogniser. */
export interface SpeechSource {
  provider: string;
  /** Identifies its key and server: an outage affects everything with the same account. */
  account: string;
}

/** A speech provider that is left out, for a time or until its settings change. */
export interface SpeechOutage {
  provider: string;
  failure: SpeechFailure;
  /** The first failure since the last success of the provider (epoch milliseconds). */
  sinceMs: number;
  /** Time of the next attempt (epoch milliseconds); null if only a change of settings helps. */
  untilMs: number | null;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Limit of outages that double, and of the wait that a provider asks for. Fixed outages may be longer. */
const LONGEST_WAIT_MS = MINUTE_MS;
/**
 * The first outage of a provider that seems to be broken; it doubles with each failure, up to {@link LONGEST_WAIT_MS}.
 */
const FIRST_WAIT_MS = 5 * SECOND_MS;

/**
 * How long a provider is left out, by failure; null: until the settings change. Failures that only concern one request
 * or one model are missing: they cause no outage.
 */
const OUTAGE_MS: Readonly<Partial<Record<SpeechFailure, number | null>>> = {
  refused_credentials: null,
  quota: 5 * MINUTE_MS,
  // Usually a limit on simultaneous sentences: the next one may succeed.
  rate_limited: 2 * SECOND_MS,
  unavailable: FIRST_WAIT_MS,
  timeout: FIRST_WAIT_MS,
  cut: FIRST_WAIT_MS,
  bad_answer: FIRST_WAIT_MS,
};
/** Failures whose outages double when they are repeated. */
const DOUBLING: ReadonlySet<SpeechFailure> = new Set(['unavailable', 'timeout', 'cut', 'bad_answer']);

/**
 * The speech providers that are left out in this process after a failure, for a time that depends on the failure.
 * Voices and recognisers with fallbacks ask it before they choose a provider, and report their failures and successes.
 * `ModelHealth` is the counterpart for language models; it probes them, too.
 */
export class SpeechOutages {
  readonly #clock: Clock;
  /** Outages by account. An expired outage is kept until a success, so that repeated failures are counted. */
  readonly #outages = new Map<string, { outage: SpeechOutage; failures: number; untilMonotonicMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True while the provider is left out. */
  isDown({ account }: SpeechSource): boolean {
    const entry = this.#outages.get(account);
    return entry !== undefined && entry.untilMonotonicMs > this.#clock.monotonicMs();
  }

  /** All current outages. */
  outages(): SpeechOutage[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#outages.values()]
      .filter(({ untilMonotonicMs }) => untilMonotonicMs > nowMs)
      .map(({ outage }) => outage);
  }

  /** The provider has answered: its outage and its failures are forgotten. */
  recordSuccess({ account }: SpeechSource): void {
    this.#outages.delete(account);
  }

  /** The provider has failed with `error`: an outage begins, unless the failure only concerns a request or model. */
  recordFailure({ account, provider }: SpeechSource, error: unknown): void {
    const failure = error instanceof SpeechError ? error.failure : 'bad_answer';
    const initialMs = OUTAGE_MS[failure];
    if (initialMs === undefined) return;
    const earlier = this.#outages.get(account);
    const failures = (earlier?.failures ?? 0) + 1;
    const sinceMs = earlier?.outage.sinceMs ?? this.#clock.wallMs();
    const waitMs = initialMs === null ? Infinity : outageMs(error, failure, initialMs, failures);
    this.#outages.set(account, {
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

/** How long the provider is left out after its newest failure, in milliseconds. */
function outageMs(error: unknown, failure: SpeechFailure, initialMs: number, failures: number): number {
  const askedMs = error instanceof SpeechError ? error.retryAfterMs : null;
  if (failure === 'rate_limited' && askedMs !== null)
    return Math.min(Math.max(askedMs, SECOND_MS), LONGEST_WAIT_MS);
  return DOUBLING.has(failure) ? Math.min(initialMs * 2 ** (failures - 1), LONGEST_WAIT_MS) : initialMs;
}
