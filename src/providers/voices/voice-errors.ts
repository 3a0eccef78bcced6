/**
 * Converts the failures of voice vendors (refused requests, error messages in a stream, broken connections) to a
 * {@link SpeechError}, for the `VoiceWire` of each vendor. HTTP answers are classified as those of language models
 * (`refusalError`), whose vendors are partly the same.
 */
import { ModelError } from '#dialogue/llm/language-model.js';
import { connectionError, refusalError, streamedError } from '#dialogue/llm/model-errors.js';
import { SocketRefused, type SocketEnd } from '#outbound-http/socket.js';
import { SpeechError, type SpeechFailure } from '#speech/speech-error.js';

/** Limit of the body read from a refusal. */
const LARGEST_REFUSAL_CHARACTERS = 64 * 1024;
/** Failures of models that speech providers do not have, mapped to those that they have. */
const SPEECH_FAILURES: Readonly<Partial<Record<string, SpeechFailure>>> = { context_too_long: 'bad_request' };

/** Finds the error in a vendor's body, in the vendor's own format: `{ code, type, message, status }`, all optional. */
export type ExtractError = (body: unknown) => unknown;

/**
 * The error for an unsuccessful HTTP answer.
 * @param nowMs epoch milliseconds, for a `retry-after` header with a date
 */
export async function refusalOf(
  provider: string,
  response: Response,
  { errorIn, nowMs }: { errorIn: ExtractError; nowMs: number },
): Promise<SpeechError> {
  const header = (name: string) => response.headers.get(name);
  return refused(
    provider,
    { status: response.status, header, body: await beginningOf(response) },
    errorIn,
    nowMs,
  );
}

/** Converts any error of a connection, including a refused WebSocket handshake, to a speech error. */
export function asSpeechError(
  provider: string,
  error: unknown,
  errorIn: ExtractError = (body) => body,
): SpeechError {
  if (error instanceof SpeechError) return error;
  if (error instanceof SocketRefused) {
    const header = (name: string) => String(error.headers[name] ?? '') || null;
    return refused(provider, { status: error.status, header, body: error.body }, errorIn, 0);
  }
  return fromModelError(error instanceof ModelError ? error : connectionError(provider, error));
}

/**
 * The error for an error message within the audio stream.
 * @param error `{ code, type, message, status }`, as far as known
 */
export function streamedSpeechError(provider: string, error: unknown): SpeechError {
  return fromModelError(streamedError(provider, error));
}

/** The error for a connection that ended before its sentence. @param end null if it is not known how it ended */
export function cutOffError(provider: string, end: SocketEnd | null = null): SpeechError {
  // 1006: there was no close frame.
  const how = end === null || end.code === 1006 ? '' : ` (close ${end.code})`;
  // Close code 1008 is a refusal; unless a limit or a timeout is the reason, a retry does not help.
  const isPolicy = end?.code === 1008 && !/limit|timeout|time out|idle/i.test(end.reason);
  return new SpeechError(`${provider} ended its answer in the middle${how}`, {
    provider,
    retryable: !isPolicy,
    failure: isPolicy ? 'bad_request' : 'cut',
  });
}

/** The error for an answer that is no audio. @param type the content type of the answer */
export function noAudioError(provider: string, type: string): SpeechError {
  return new SpeechError(`${provider} answered with ${type || 'nothing'} instead of sound`, {
    provider,
    retryable: false,
    failure: 'bad_answer',
  });
}

/** The bytes of a streamed body. @throws SpeechError `cut` if the connection breaks before the end */
export async function* bytesOf(provider: string, response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  try {
    for await (const bytes of response.body) yield bytes as Uint8Array;
  } catch (error) {
    throw new SpeechError(`${provider} ended its answer in the middle`, {
      provider,
      retryable: true,
      failure: 'cut',
      cause: error,
    });
  }
}

/** The error for a refusal, classified by its status and the vendor's error. @param nowMs epoch milliseconds */
function refused(
  provider: string,
  answer: { status: number; header(name: string): string | null; body: string },
  errorIn: ExtractError,
  nowMs: number,
): SpeechError {
  const body = JSON.stringify({ error: errorIn(parseJson(answer.body)) });
  return fromModelError(refusalError({ provider, ...answer, body, nowMs }));
}

/** The speech error with the fields of a model error. */
function fromModelError({
  message,
  provider,
  retryable,
  failure,
  retryAfterMs,
  cause,
}: ModelError): SpeechError {
  return new SpeechError(message, {
    provider,
    retryable,
    failure: SPEECH_FAILURES[failure] ?? (failure as SpeechFailure),
    retryAfterMs,
    cause,
  });
}

/** The beginning of a body, as text: refusals may be whole HTML pages. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes as Uint8Array, { stream: true });
      if (text.length >= LARGEST_REFUSAL_CHARACTERS) break;
    }
  } catch {
    // The partial body is enough: the status decides.
  }
  return text;
}

/** The body as JSON; null if it is none. */
function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
