/** The failures of a speech provider, which decide how long the provider is left out. */
export type SpeechFailure =
  | 'refused_credentials'
  | 'quota'
  | 'rate_limited'
  | 'unknown_model'
  | 'bad_request'
  | 'unavailable'
  | 'timeout'
  | 'cut'
  | 'bad_answer';

/**
 * A speech provider failed. The adapter decides whether a retry may help; the message never contains words of the call.
 */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  /** The provider's name, such as `flite`. */
  readonly provider: string;
  readonly retryable: boolean;
  readonly failure: SpeechFailure;
  /** The wait that the provider asks for; null if not reported. */
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
