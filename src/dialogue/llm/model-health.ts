import { asError } from '#kernel/errors/as-error.js';
import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';
import { ModelError, type ModelFailure, type ModelRequest } from './language-model.js';
import { limitedAnswer, MODEL_LIMITS } from './model-limits.js';
import type { ModelSource } from './model-source.js';

/** A model, or a whole account, that is left out. */
export interface ModelOutage {
  provider: string;
  /** Null if the whole account is affected: its key, or its money. */
  model: string | null;
  failure: ModelFailure;
  /** True if key and address are settings of the operator instead of a customer's. */
  isOperators: boolean;
  /** Epoch milliseconds. */
  sinceMs: number;
  /** Time of the next attempt (epoch milliseconds); null if only a change of settings helps. */
  untilMs: number | null;
}

interface Outage extends ModelOutage {
  key: string;
  probes: number;
  cancel: () => void;
}

/** The consequence of a failure. Failures caused by the request itself affect no other request and have no entry. */
interface Consequence {
  of: 'model' | 'account';
  /** Null: until the settings change. */
  forMs: number | null;
  /** Set if a tiny request checks for recovery; otherwise the outage ends after its time. */
  isProbed?: true;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const LONGEST_WAIT_MS = MINUTE_MS;
/** For a provider that reports "too many requests" without a wait. */
const USUAL_WAIT_MS = 10 * SECOND_MS;
const FIRST_PROBE_MS = 5 * SECOND_MS;
const SLOWEST_PROBE_MS = MINUTE_MS;
/** Customers correct their server or secret without a restart of the service. */
const CUSTOMERS_REFUSAL_MS = MINUTE_MS;

const CONSEQUENCES: Readonly<Partial<Record<ModelFailure, Consequence>>> = {
  rate_limited: { of: 'model', forMs: USUAL_WAIT_MS },
  quota: { of: 'account', forMs: 5 * MINUTE_MS },
  refused_credentials: { of: 'account', forMs: null },
  unknown_model: { of: 'model', forMs: 5 * MINUTE_MS },
  unavailable: { of: 'model', forMs: FIRST_PROBE_MS, isProbed: true },
  timeout: { of: 'model', forMs: FIRST_PROBE_MS, isProbed: true },
  cut: { of: 'model', forMs: FIRST_PROBE_MS, isProbed: true },
  bad_answer: { of: 'model', forMs: FIRST_PROBE_MS, isProbed: true },
};

/** The smallest possible request. */
const PROBE: ModelRequest = {
  system: 'Answer with one word.',
  messages: [{ role: 'user', text: 'Ping.' }],
  tools: [],
  settings: { temperature: null, maxOutputTokens: 16, reasoningEffort: null },
};

/**
 * The models that are down in this process. A failing model is left out for a time that depends on the failure. One
 * that did not answer is probed in the background, and returns when it answers.
 */
export class ModelHealth {
  readonly #parts: { clock: Clock; log: Log };
  readonly #outages = new Map<string, Outage>();
  readonly #closing = new AbortController();

  constructor(parts: { clock: Clock; log: Log }) {
    this.#parts = parts;
  }

  isDown(source: ModelSource): boolean {
    return this.#outages.has(modelKey(source)) || this.#outages.has(accountKey(source));
  }

  /** All present outages. */
  outages(): ModelOutage[] {
    return [...this.#outages.values()].map(({ provider, model, failure, isOperators, sinceMs, untilMs }) => ({
      provider,
      model,
      failure,
      isOperators,
      sinceMs,
      untilMs,
    }));
  }

  /** The model has answered. */
  worked(source: ModelSource): void {
    for (const key of [modelKey(source), accountKey(source)]) this.#remove(key);
  }

  /** The model has not answered, even after a retry. */
  failed(source: ModelSource, error: ModelError): void {
    const consequence = CONSEQUENCES[error.failure];
    if (consequence === undefined || this.#closing.signal.aborted) return;
    const isAccount = consequence.of === 'account';
    const key = isAccount ? accountKey(source) : modelKey(source);
    const known = this.#outages.get(key);
    known?.cancel();
    const outage: Outage = {
      key,
      provider: source.provider,
      model: isAccount ? null : source.model,
      failure: error.failure,
      isOperators: source.isOperators,
      sinceMs: known?.sinceMs ?? this.#parts.clock.wallMs(),
      untilMs: null,
      probes: known?.probes ?? 0,
      cancel: () => {},
    };
    this.#outages.set(key, outage);
    const waitMs = waitOf(source, error, consequence, outage.probes);
    if (known === undefined) this.#log('warn', outage, 'a language model is left out', error);
    if (waitMs === null) return;
    outage.untilMs = this.#parts.clock.wallMs() + waitMs;
    const isProbed = consequence.isProbed === true && source.mayBeProbed;
    outage.cancel = this.#parts.clock.after(waitMs, () => {
      if (isProbed) void this.#probe(source, outage);
      else this.#remove(key);
    });
  }

  /** Stops probing; what is down stays down. */
  close(): void {
    this.#closing.abort();
    for (const outage of this.#outages.values()) outage.cancel();
  }

  async #probe(source: ModelSource, outage: Outage): Promise<void> {
    outage.probes += 1;
    const startedMs = this.#parts.clock.monotonicMs();
    const limits = MODEL_LIMITS;
    const parts = { clock: this.#parts.clock, limits, startedMs, endsMs: startedMs + limits.answerMs };
    try {
      for await (const part of limitedAnswer(source, PROBE, this.#closing.signal, parts))
        if (part.type !== 'tool_call') break;
      if (!this.#closing.signal.aborted && this.#outages.get(outage.key) === outage) this.worked(source);
    } catch (error) {
      if (this.#outages.get(outage.key) !== outage) return;
      this.failed(source, error instanceof ModelError ? error : unexpected(source, error));
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

/** How long a model is left out, in milliseconds; null until the process ends. */
function waitOf(
  source: ModelSource,
  error: ModelError,
  { forMs, isProbed }: Consequence,
  probes: number,
): number | null {
  if (forMs === null) return source.isOperators ? null : CUSTOMERS_REFUSAL_MS;
  if (error.failure === 'rate_limited' && error.retryAfterMs !== null)
    return Math.min(Math.max(error.retryAfterMs, SECOND_MS), LONGEST_WAIT_MS);
  return isProbed ? Math.min(forMs * 2 ** probes, SLOWEST_PROBE_MS) : forMs;
}

function unexpected({ provider }: ModelSource, error: unknown): ModelError {
  const cause = asError(error);
  return new ModelError(`${provider} failed: ${cause.name}`, {
    provider,
    failure: 'bad_answer',
    retryable: false,
    cause,
  });
}

const modelKey = (source: ModelSource) => JSON.stringify([source.account, source.model]);
const accountKey = (source: ModelSource) => source.account;
