import { codeOf } from '#language/languages/languages.js';
import { wavOf } from '#media/samples/wav.js';
import { SpeechError } from '#speech/speech-error.js';
import type { RecognitionHints, Stt, SttOptions, SttSession, TimedWord, Transcript } from '#speech/stt.js';
import type { SpeechParts } from '#providers/provider-definition.js';
import {
  confidenceOf,
  listOf,
  msOf,
  numberOf,
  objectOf,
  textOf,
  type Message,
} from '#providers/recognition/message.js';
import { isTransientStatus, keyTermsOf } from '#providers/recognition/stt-dialect.js';

/** Shorter audio is not sent: OpenAI refuses it. */
const MIN_UTTERANCE_MS = 100;
/** Audio after this length is ignored. The conversation cuts utterances at 30 seconds. */
const MAX_UTTERANCE_MS = 31_000;
/** Timeout of a request. The slowest percent of OpenAI's transcriptions takes two seconds. */
const ANSWER_TIMEOUT_MS = 2_500;
/** Timeout of a request to a server of the operator, which may be slow and still be the best choice. */
const OWN_ANSWER_TIMEOUT_MS = 4_000;
/** A request is repeated only if it failed within this time. */
const RETRY_WITHIN_MS = 2_000;
/** If Whisper gives every segment a higher probability of silence, its text is a hallucination ("Thank you."). */
const NO_SPEECH = 0.6;
/** The result of an utterance without words. */
const NOT_UNDERSTOOD: Transcript = { text: '', confidence: 0 };

/** A server with OpenAI's endpoint `/audio/transcriptions`. */
interface TranscriptionServer {
  provider: string;
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  model: string;
  /** True for a server that the operator runs: it gets a longer timeout. Default false. */
  isOwn?: boolean;
}

/**
 * Makes a recogniser (port `Stt`) without streaming: each utterance is sent as a whole, as a WAV file, to OpenAI or a
 * compatible server (speaches, faster-whisper, Groq). It has no interim words. Used by the provider `openai`, and by
 * the presets with a recogniser.
 */
export function createTranscriptionStt(
  server: TranscriptionServer,
  parts: Pick<SpeechParts, 'clock' | 'fetch' | 'log'>,
): Stt {
  return {
    name: server.provider,
    open: async (options) => new TranscriptionSession(server, options, parts),
    close: async () => {},
  };
}

/** The recogniser of one call: collects the audio of an utterance, and sends it at the end. */
class TranscriptionSession implements SttSession {
  readonly #server: TranscriptionServer;
  readonly #options: SttOptions;
  readonly #parts: Pick<SpeechParts, 'clock' | 'fetch' | 'log'>;
  /** Aborts the request when the call ends. */
  readonly #abort = new AbortController();
  /** The audio of the utterance in progress. */
  #pieces: Int16Array[] = [];
  #sampleCount = 0;
  /** Words that the next utterance may contain; they are sent as a prompt for the recogniser. */
  #keyTerms: readonly string[] = [];

  constructor(
    server: TranscriptionServer,
    options: SttOptions,
    parts: Pick<SpeechParts, 'clock' | 'fetch' | 'log'>,
  ) {
    this.#server = server;
    this.#options = options;
    this.#parts = parts;
  }

  expect(hints: RecognitionHints): void {
    this.#keyTerms = keyTermsOf(hints);
  }

  /** Adds audio to the utterance in progress. */
  push(samples: Int16Array): void {
    if (this.#abort.signal.aborted || this.#lengthMs >= MAX_UTTERANCE_MS) return;
    this.#pieces.push(samples.slice());
    this.#sampleCount += samples.length;
  }

  /** Sends the utterance. A request that fails soon, and may succeed later, is repeated once. @throws SpeechError */
  async finish(): Promise<Transcript> {
    const isTooShort = this.#lengthMs < MIN_UTTERANCE_MS;
    const wav = wavOf(this.#pieces, this.#options.sampleRateHz);
    this.discard();
    if (isTooShort || this.#abort.signal.aborted) return NOT_UNDERSTOOD;
    const { clock, log } = this.#parts;
    const startedMs = clock.monotonicMs();
    try {
      return await this.#request(wav);
    } catch (error) {
      const mayRetry = error instanceof SpeechError && error.retryable;
      if (!mayRetry || clock.monotonicMs() - startedMs > RETRY_WITHIN_MS) throw error;
      log.warn({ err: error }, 'an utterance is sent once more');
      return this.#request(wav);
    }
  }

  discard(): void {
    this.#pieces = [];
    this.#sampleCount = 0;
  }

  close(): void {
    this.discard();
    this.#abort.abort();
  }

  get #lengthMs(): number {
    return (this.#sampleCount * 1_000) / this.#options.sampleRateHz;
  }

  /** Sends one request. @throws SpeechError if it fails or times out */
  async #request(wav: Buffer): Promise<Transcript> {
    const { fetch, clock } = this.#parts;
    const { baseUrl, headers, isOwn = false } = this.#server;
    const timeout = new AbortController();
    const timeoutMs = isOwn ? OWN_ANSWER_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
    const cancel = clock.after(timeoutMs, () => timeout.abort());
    const signal = AbortSignal.any([timeout.signal, this.#abort.signal]);
    try {
      const response = await fetch(`${baseUrl}/audio/transcriptions`, {
        method: 'POST',
        headers,
        body: this.#form(wav),
        signal,
      });
      const body = await response.text();
      if (!response.ok)
        throw this.#error(`refused with ${response.status}`, isTransientStatus(response.status));
      return readTranscription(this.#parsed(body));
    } catch (error) {
      if (this.#abort.signal.aborted) return NOT_UNDERSTOOD;
      throw error instanceof SpeechError ? error : this.#error('not reached in time', true, error);
    } finally {
      cancel();
    }
  }

  /** The body of a request. */
  #form(wav: Buffer): FormData {
    const { model } = this.#server;
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'audio.wav');
    form.append('model', model);
    // Without a language the recogniser detects it.
    if (!this.#options.otherLanguages?.length) form.append('language', codeOf(this.#options.language));
    if (this.#keyTerms.length > 0) form.append('prompt', this.#keyTerms.join(', '));
    if (tellsLanguage(model)) {
      form.append('response_format', 'verbose_json');
      form.append('timestamp_granularities[]', 'word');
      form.append('timestamp_granularities[]', 'segment');
    } else {
      form.append('response_format', 'json');
      form.append('include[]', 'logprobs');
    }
    return form;
  }

  #parsed(body: string): Message {
    try {
      return objectOf(JSON.parse(body));
    } catch (error) {
      throw this.#error('answered with what is no JSON', false, error);
    }
  }

  #error(message: string, retryable: boolean, cause?: unknown): SpeechError {
    return new SpeechError(`the recogniser was ${message}`, {
      provider: this.#server.provider,
      retryable,
      cause,
    });
  }
}

/** True if the endpoint reports the spoken language: only Whisper models have the verbose format, which has it. */
export function tellsLanguage(model: string): boolean {
  return /whisper/i.test(model);
}

/** The transcript in an answer, in the format `json` or `verbose_json`. Exported for tests. */
export function readTranscription(answer: Message): Transcript {
  const segments = listOf(answer['segments']).map(objectOf);
  const text = textOf(answer['text']).trim();
  const isHallucination =
    segments.length > 0 &&
    segments.every((segment) => (numberOf(segment['no_speech_prob']) ?? 0) > NO_SPEECH);
  if (text === '' || isHallucination) return NOT_UNDERSTOOD;
  const words = listOf(answer['words']).map(wordOf);
  const language = textOf(answer['language']);
  return {
    text,
    confidence: confidenceIn(answer, segments),
    ...(words.length > 0 && { words }),
    ...(language !== '' && { language }),
  };
}

/**
 * The confidence: the mean of the log probabilities of tokens or segments, as a probability; an assumed confidence if
 * the answer has none.
 */
function confidenceIn(answer: Message, segments: readonly Message[]): number {
  const tokens = listOf(answer['logprobs']).map((token) => numberOf(objectOf(token)['logprob']));
  const logProbabilities = [...tokens, ...segments.map((segment) => numberOf(segment['avg_logprob']))].filter(
    (log) => log !== null,
  );
  if (logProbabilities.length === 0) return confidenceOf(null);
  const sum = logProbabilities.reduce((total, log) => total + log, 0);
  return confidenceOf(Math.exp(sum / logProbabilities.length));
}

function wordOf(raw: unknown): TimedWord {
  const word = objectOf(raw);
  const startMs = msOf(word['start']) ?? 0;
  return {
    text: textOf(word['word']),
    startMs,
    endMs: msOf(word['end']) ?? startMs,
    confidence: confidenceOf(null),
  };
}
