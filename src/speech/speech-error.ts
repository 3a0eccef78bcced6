/**
 * The kinds of failure of a speech provider. `SpeechOutages` decides by the kind whether and how long the provider is
 * left out.
 */
export type SpeechFailure =
  /** The key is wrong or may not be used for this. */
  | 'refused_credentials'
  /** The account has no money or quota left. */
  | 'quota'
  | 'rate_limited'
  | 'unknown_model'
  | 'bad_request'
  /** Not reached, overloaded, or failing. */
  | 'unavailable'
  | 'timeout'
  /** The connection ended in the middle of an answer. */
  | 'cut'
  /** The answer does not follow the provider's protocol. */
  | 'bad_answer';

/**
 * A voice or a recogniser failed; thrown by the adapters in src/providers. The adapter decides whether a retry may
 * help. The message never contains words of the call.
 */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  /** The provider's name, such as `flite`. */
  readonly provider: string;
  /** True if the same request may succeed when repeated at once. */
  readonly retryable: boolean;
  /** `unavailable` if the adapter names no kind. */
  readonly failure: SpeechFailure;
  /** The wait in milliseconds that the provider asks for; null if not reported. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    options: {
      provider: string;
      retryable: boolean;
      failure?: SpeechFailure;
      retryAfterMs?: number | null;
      cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.provider = options.provider;
    this.retryable = options.retryable;
    this.failure = options.failure ?? 'unavailable';
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
