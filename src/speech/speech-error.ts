/**
 * A provider of speech failed. Whether trying again may help is decided here, where the failure is seen; the text
 * never holds what was said.
 */
export class SpeechError extends Error {
  override readonly name = 'SpeechError';
  /** The provider's name, such as `flite`. */
  readonly provider: string;
  readonly retryable: boolean;

  constructor(message: string, options: { provider: string; retryable: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.provider = options.provider;
    this.retryable = options.retryable;
  }
}
