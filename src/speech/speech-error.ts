/** What went wrong at a provider of speech; it decides for how long the provider is left out. */
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
 * A provider of speech failed. Whether trying again may help is decided here, where the failure is seen; the text
 * never holds what was said.
 */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  /** The provider's name, such as `flite`. */
  readonly provider: string;
  readonly retryable: boolean;
  readonly failure: SpeechFailure;
  /** How long the provider asks to wait; null where it says nothing. */
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
