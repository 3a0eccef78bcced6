import { asError } from '#kernel/errors/as-error.js';
import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';
import { ModelError, type ModelFailure, type ModelRequest } from './language-model.js';
import { limitedAnswer, MODEL_LIMITS } from './model-limits.js';
import type { ModelSource } from './model-source.js';

/** A model, or a whole account, that is left out; `GET /health` shows those of the operator. */
export interface ModelOutage {
  provider: string;
  /** Null if the whole account is affected: its key, or its money. */
  model: string | null;
  failure: ModelFailure;
  /** True if key and address are settings of the operator instead of a customer's. */
  usesOperatorsAccount: boolean;
  /** Epoch milliseconds. */
  sinceMs: number;
  /** Time of the next attempt (epoch milliseconds); null if only a change of settings helps. */
  untilMs: number | null;
}

/** An outage, its key in the map of outages, and its timer. */
interface Outage extends ModelOutage {
  key: string;
  /** Probes sent so far. */
  probes: number;
  /** Cancels the timer of the next probe or of the end of the outage. */
  cancel: () => void;
}

/** How a failure of one request affects later requests. */
interface OutageRule {
  /** Whether the model alone is left out, or all models of the account. */
  scope: 'model' | 'account';
  /**
   * How long the outage lasts, or until its first probe, in milliseconds; null until the operator changes the settings.
   */
  forMs: number | null;
  /** Set if a tiny request then checks for recovery, where the model allows it; else the outage ends after its time. */
  isProbed?: true;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Longest outage after "too many requests"; a provider that asks for a longer wait is tried again after this time. */
const LONGEST_RATE_LIMIT_MS = MINUTE_MS;
/** Outage after "too many requests", if the provider asks for no particular wait. */
const DEFAULT_RATE_LIMIT_MS = 10 * SECOND_MS;
/** Wait before the first probe. It doubles with each failed probe, up to {@link LONGEST_PROBE_WAIT_MS}. */
const FIRST_PROBE_MS = 5 * SECOND_MS;
const LONGEST_PROBE_WAIT_MS = MINUTE_MS;
/** Outage after a refusal of a customer's own server: customers correct it without a restart of the service. */
const CUSTOMER_REFUSAL_MS = MINUTE_MS;

/** The rule of each failure. Failures caused by the request itself affect no other request and have no rule. */
const OUTAGE_RULES: Readonly<Partial<Record<ModelFailure, OutageRule>>> = {
  rate_limited: { scope: 'model', forMs: DEFAULT_RATE_LIMIT_MS },
  quota: { scope: 'account', forMs: 5 * MINUTE_MS },
  refused_credentials: { scope: 'account', forMs: null },
  unknown_model: { scope: 'model', forMs: 5 * MINUTE_MS },
  unavailable: { scope: 'model', forMs: FIRST_PROBE_MS, isProbed: true },
  timeout: { scope: 'model', forMs: FIRST_PROBE_MS, isProbed: true },
  cut: { scope: 'model', forMs: FIRST_PROBE_MS, isProbed: true },
  bad_answer: { scope: 'model', forMs: FIRST_PROBE_MS, isProbed: true },
};

/** A tiny request. */
const PROBE: ModelRequest = {
  system: 'Answer with one word.',
  messages: [{ role: 'user', text: 'Ping.' }],
  tools: [],
  settings: { temperature: null, maxOutputTokens: 16, reasoningEffort: null },
};

/**
 * The models that are left out in this process after a failure, for a time that depends on the failure. A model that
 * did not answer is probed in the background, and is used again when it answers. `modelWithFallback` asks it before
 * each request, and reports to it afterwards.
 */
export class ModelHealth {
  readonly #parts: { clock: Clock; log: Log };
  readonly #outages = new Map<string, Outage>();
  readonly #closing = new AbortController();

  constructor(parts: { clock: Clock; log: Log }) {
    this.#parts = parts;
  }

  /** True while the model or its account is left out. */
  isDown(source: ModelSource): boolean {
    return this.#outages.has(modelKey(source)) || this.#outages.has(accountKey(source));
  }

  /** All present outages. */
  outages(): ModelOutage[] {
    return [...this.#outages.values()].map(
      ({ provider, model, failure, usesOperatorsAccount, sinceMs, untilMs }) => ({
        provider,
        model,
        failure,
        usesOperatorsAccount,
        sinceMs,
        untilMs,
      }),
    );
  }

  /** The model has answered. */
  recordSuccess(source: ModelSource): void {
    for (const key of [modelKey(source), accountKey(source)]) this.#remove(key);
  }

  /** The model has not answered, not even to a retry if one was worthwhile. */
  recordFailure(source: ModelSource, error: ModelError): void {
    const rule = OUTAGE_RULES[error.failure];
    if (rule === undefined || this.#closing.signal.aborted) return;
    const isAccount = rule.scope === 'account';
    const key = isAccount ? accountKey(source) : modelKey(source);
    const earlier = this.#outages.get(key);
    earlier?.cancel();
    const outage: Outage = {
      key,
      provider: source.provider,
      model: isAccount ? null : source.model,
      failure: error.failure,
      usesOperatorsAccount: source.usesOperatorsAccount,
      sinceMs: earlier?.sinceMs ?? this.#parts.clock.wallMs(),
      untilMs: null,
      probes: earlier?.probes ?? 0,
      cancel: () => {},
    };
    this.#outages.set(key, outage);
    const waitMs = outageMs(source, error, rule, outage.probes);
    if (earlier === undefined) this.#log('warn', outage, 'a language model is left out', error);
    if (waitMs === null) return;
    outage.untilMs = this.#parts.clock.wallMs() + waitMs;
    const isProbed = rule.isProbed === true && source.mayBeProbed;
    outage.cancel = this.#parts.clock.after(waitMs, () => {
      if (isProbed) void this.#probe(source, outage);
      else this.#remove(key);
    });
  }

  /** Stops probing; models that are left out stay so. */
  close(): void {
    this.#closing.abort();
    for (const outage of this.#outages.values()) outage.cancel();
  }

  /** Sends a tiny request to a model that is left out; its answer ends the outage, a failure prolongs it. */
  async #probe(source: ModelSource, outage: Outage): Promise<void> {
    outage.probes += 1;
    const startedMs = this.#parts.clock.monotonicMs();
    const limits = MODEL_LIMITS;
    const parts = { clock: this.#parts.clock, limits, startedMs, endsMs: startedMs + limits.answerMs };
    try {
      for await (const part of limitedAnswer(source, PROBE, this.#closing.signal, parts))
        // Text, or the end of the answer, is enough.
        if (part.type !== 'tool_call') break;
      // A newer outage of the same model has its own probe.
      if (!this.#closing.signal.aborted && this.#outages.get(outage.key) === outage)
        this.recordSuccess(source);
    } catch (error) {
      if (this.#outages.get(outage.key) !== outage) return;
      this.recordFailure(source, error instanceof ModelError ? error : unexpectedError(source, error));
    }
  }

  #remove(key: string): void {
    const outage = this.#outages.get(key);
    if (outage === undefined) return;
    outage.cancel();
    this.#outages.delete(key);
    this.#log('info', outage, 'a language model is used again');
  }

  #log(level: 'warn' | 'info', outage: Outage, message: string, error?: ModelError): void {
    const { provider, model, failure } = outage;
    this.#parts.log[level]({ provider, model, failure, ...(error && { err: error }) }, message);
  }
}

/** How long a model is left out, in milliseconds; null until a restart with other settings. */
function outageMs(
  source: ModelSource,
  error: ModelError,
  { forMs, isProbed }: OutageRule,
  probes: number,
): number | null {
  if (forMs === null) return source.usesOperatorsAccount ? null : CUSTOMER_REFUSAL_MS;
  if (error.failure === 'rate_limited' && error.retryAfterMs !== null)
    return Math.min(Math.max(error.retryAfterMs, SECOND_MS), LONGEST_RATE_LIMIT_MS);
  return isProbed ? Math.min(forMs * 2 ** probes, LONGEST_PROBE_WAIT_MS) : forMs;
}

/** The error for a probe that failed with something other than a `ModelError`, which an adapter should never throw. */
function unexpectedError({ provider }: ModelSource, error: unknown): ModelError {
  const cause = asError(error);
  return new ModelError(`${provider} failed: ${cause.name}`, {
    provider,
    failure: 'bad_answer',
    retryable: false,
    cause,
  });
}

/** The keys of outages: of one model of an account, and of the whole account. */
const modelKey = (source: ModelSource) => JSON.stringify([source.account, source.model]);
const accountKey = (source: ModelSource) => source.account;
