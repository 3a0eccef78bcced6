import type { SpeechReplaced, VoiceReport } from '#dialogue/dialogue-observer.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { asError } from '#kernel/errors/as-error.js';
import { wordsOf } from '#speech/aligned-words.js';
import type { SpeechOutages, SpeechSource } from '#speech/outages.js';
import { SpeechError } from '#speech/speech-error.js';
import type { SpeakRequest, SpokenWord, Tts } from '#speech/tts.js';
import type { VoiceSettings } from '#speech/voice-settings.js';
import { wordsWithin } from '#speech/words-within.js';

/** Timeouts of a vendor's voice for the first chunk of audio of a sentence, and for each later one. */
const FIRST_CHUNK_TIMEOUT_MS = 3_000;
const NEXT_CHUNK_TIMEOUT_MS = 3_000;
/** A voice that fails later than this after its start is not retried: the caller would notice the delay. */
const RETRY_WITHIN_MS = 1_500;
/** The rate of average speech; estimates how much of a sentence was spoken if the voice reports no word times. */
const MS_PER_CHARACTER = 65;

/** One voice of the fallback list, ready to speak. */
export interface OpenVoice extends SpeechSource {
  model: string | null;
  voice: string | null;
  settings: VoiceSettings;
  /** False if texts are sent as written, without normalisation. */
  normalise: boolean;
  tts: Tts;
}

/** The dependencies of {@link voiceWithFallback}. */
export interface VoiceFallbackParts {
  clock: Clock;
  log: Log;
  outages: SpeechOutages;
  /** Called after each attempt of a voice, also a failed or aborted one, for the costs of the call. */
  onVoice?(report: VoiceReport): void;
  /** Called before another voice takes over the sentence of one that failed. */
  onReplaced?(replaced: SpeechReplaced): void;
}

/**
 * Makes one voice (port `Tts`) from a list of voices: each sentence is spoken by the first voice without an outage. A
 * voice that fails soon and before any audio is retried once if its error is retryable. After a failure in mid-sentence
 * the next voice speaks the rest, from the first unfinished word. After refused credentials or an exhausted quota, the
 * sentence skips the other voices of the same account. Used by `Voices`.
 * @param voices in order of preference, at least one; the last is tried even during an outage
 */
export function voiceWithFallback(voices: readonly OpenVoice[], parts: VoiceFallbackParts): Tts {
  const [first] = voices;
  if (first === undefined) throw new Error('a voice needs at least one source');
  return {
    name: first.tts.name,
    // A local voice in the list gives the whole list the longer timeout of `SpeechPlayer` for local voices, which a
    // busy machine delays. Vendors' voices have their own timeouts here (`ChunkTimeout`).
    isLocal: voices.some(({ tts }) => tts.isLocal === true),
    voices: first.tts.voices,
    speak: (request) => new Sentence(voices, request, parts).speak(),
    async close() {},
  };
}

/** The voices without an outage, and the last one in any case. */
function voicesToTry(voices: readonly OpenVoice[], outages: SpeechOutages): OpenVoice[] {
  return voices.filter((voice, index) => index === voices.length - 1 || !outages.isDown(voice));
}

/** The speaking of one sentence, by as many voices as it takes. */
class Sentence {
  readonly #voices: readonly OpenVoice[];
  readonly #request: SpeakRequest;
  readonly #parts: VoiceFallbackParts;
  /** The text still to be spoken. */
  #rest: string;
  /** The words and the milliseconds of audio that earlier voices have spoken before the rest. */
  #spokenWords: readonly SpokenWord[] = [];
  #spokenMs = 0;
  /** Of the current voice: the words that it has reported, and the milliseconds of its audio. */
  #words: readonly SpokenWord[] = [];
  #soundMs = 0;

  constructor(voices: readonly OpenVoice[], request: SpeakRequest, parts: VoiceFallbackParts) {
    this.#voices = voices;
    this.#request = request;
    this.#parts = parts;
    this.#rest = request.text;
  }

  /** Yields the audio. @throws SpeechError of the voice that was tried last, if none could finish the sentence */
  async *speak(): AsyncGenerator<Int16Array, void> {
    const voices = voicesToTry(this.#voices, this.#parts.outages);
    const refusedAccounts = new Set<string>();
    let failed: { voice: OpenVoice; error: SpeechError; inSentence: boolean } | null = null;
    for (const voice of voices) {
      if (refusedAccounts.has(voice.account)) continue;
      if (failed) this.#reportReplaced(failed, voice);
      const error = yield* this.#speakWithRetry(voice);
      if (error === null) return;
      this.#parts.outages.recordFailure(voice, error);
      if (error.failure === 'refused_credentials' || error.failure === 'quota')
        refusedAccounts.add(voice.account);
      failed = { voice, error, inSentence: this.#soundMs > 0 };
      this.#keepRest();
      // All words were spoken before the failure.
      if (this.#rest === '') return;
    }
    if (failed) throw failed.error;
  }

  /** Speaks the rest with one voice and one retry. Returns the voice's error; null if it finished or was aborted. */
  async *#speakWithRetry(voice: OpenVoice): AsyncGenerator<Int16Array, SpeechError | null> {
    const { clock } = this.#parts;
    const startedMs = clock.monotonicMs();
    const error = yield* this.#speakOnce(voice);
    const mayRetry = error?.retryable === true && this.#soundMs === 0;
    if (!mayRetry || clock.monotonicMs() - startedMs > RETRY_WITHIN_MS) return error;
    return yield* this.#speakOnce(voice);
  }

  /** Speaks the rest with one voice, once, and reports the use of the voice. Returns the voice's error, or null. */
  async *#speakOnce(voice: OpenVoice): AsyncGenerator<Int16Array, SpeechError | null> {
    const { clock, outages } = this.#parts;
    const { provider, model, tts, settings, normalise } = voice;
    const timeout = new ChunkTimeout(clock, tts.isLocal === true ? null : provider, this.#request.signal);
    const request: SpeakRequest = {
      ...this.#request,
      text: this.#rest,
      voice: voice.voice,
      settings,
      normalise,
      signal: timeout.signal,
      onWords: (words) => this.#reportWords(words),
    };
    const report: VoiceReport = {
      provider,
      model,
      voice: voice.voice,
      characters: tts.charactersOf?.(request) ?? this.#rest.length,
      soundMs: 0,
      firstSoundMs: null,
      startedAt: clock.wallMs(),
      failure: null,
    };
    const startedMs = clock.monotonicMs();
    try {
      for await (const piece of timeout.limited(tts.speak(request))) {
        report.firstSoundMs ??= Math.round(clock.monotonicMs() - startedMs);
        this.#soundMs += (piece.length * 1000) / this.#request.sampleRateHz;
        yield piece;
      }
      // An aborted voice ends without an error of its own.
      if (timeout.error) throw timeout.error;
      if (!this.#request.signal?.aborted) outages.recordSuccess(voice);
      return null;
    } catch (thrown) {
      if (this.#request.signal?.aborted) return null;
      const error = toSpeechError(provider, timeout.error ?? thrown);
      report.failure = error.failure;
      return error;
    } finally {
      timeout.end();
      report.soundMs = Math.round(this.#soundMs);
      this.#parts.onVoice?.(report);
    }
  }

  /**
   * After the failure of a voice in mid-sentence: keeps the unspoken rest of the text for the next voice. Word times
   * show how far the voice came; without them, average speech is assumed.
   */
  #keepRest(): void {
    if (this.#soundMs === 0) return;
    const words = wordsOf(this.#rest);
    const spokenCount =
      this.#words.length > 0
        ? this.#words.filter(({ endMs }) => endMs <= this.#soundMs).length
        : wordsOf(wordsWithin(this.#rest, this.#soundMs / (this.#rest.length * MS_PER_CHARACTER))).length;
    // Without word times, the words are spread evenly over the audio.
    this.#spokenWords = [
      ...this.#spokenWords,
      ...words.slice(0, spokenCount).map((text, index) => ({
        text,
        endMs: this.#spokenMs + (this.#words[index]?.endMs ?? ((index + 1) * this.#soundMs) / spokenCount),
      })),
    ];
    this.#spokenMs += this.#soundMs;
    this.#rest = words.slice(spokenCount).join(' ');
    this.#words = [];
    this.#soundMs = 0;
  }

  /** Reports the words of all voices, with times from the beginning of the sentence. */
  #reportWords(words: readonly SpokenWord[]): void {
    this.#words = words;
    this.#request.onWords?.([
      ...this.#spokenWords,
      ...words.map(({ text, endMs }) => ({ text, endMs: this.#spokenMs + endMs })),
    ]);
  }

  /** Logs and reports that another voice continues. */
  #reportReplaced(
    { voice, error, inSentence }: { voice: OpenVoice; error: SpeechError; inSentence: boolean },
    next: OpenVoice,
  ): void {
    const { log, onReplaced } = this.#parts;
    const { failure } = error;
    const replaced = {
      leg: 'speaking' as const,
      from: voice.provider,
      to: next.provider,
      failure,
      inSentence,
    };
    log.warn({ err: error, ...replaced }, 'a voice has failed; another one speaks');
    onReplaced?.(replaced);
  }
}

/**
 * A timeout for each chunk of a voice; aborts the request of a voice that is too slow. The time in which the consumer
 * handles a chunk does not count.
 */
class ChunkTimeout {
  /** Set when the timeout has expired. */
  error: SpeechError | null = null;
  readonly signal: AbortSignal;
  readonly #abort = new AbortController();
  readonly #clock: Clock;
  readonly #provider: string | null;
  #cancel: () => void = () => {};

  /** @param provider null for a voice without a timeout */
  constructor(clock: Clock, provider: string | null, signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.#provider = provider;
    this.signal = signal ? AbortSignal.any([signal, this.#abort.signal]) : this.#abort.signal;
  }

  /** Passes the chunks on, each within its timeout. */
  async *limited(pieces: AsyncIterable<Int16Array>): AsyncGenerator<Int16Array> {
    this.#arm(FIRST_CHUNK_TIMEOUT_MS);
    for await (const piece of pieces) {
      this.#cancel();
      yield piece;
      this.#arm(NEXT_CHUNK_TIMEOUT_MS);
    }
  }

  /** Stops the timeout, because the voice has ended. */
  end(): void {
    this.#cancel();
  }

  /** Starts the timeout for the next chunk. */
  #arm(limitMs: number): void {
    const provider = this.#provider;
    if (provider === null) return;
    this.#cancel = this.#clock.after(limitMs, () => {
      this.error = new SpeechError(`${provider} gave no sound for ${limitMs} ms`, {
        provider,
        retryable: false,
        failure: 'timeout',
      });
      this.#abort.abort();
    });
  }
}

/** A voice's error as a SpeechError. An error of another class is retryable unless its `retryable` is false. */
function toSpeechError(provider: string, thrown: unknown): SpeechError {
  if (thrown instanceof SpeechError) return thrown;
  const cause = asError(thrown);
  return new SpeechError(`${provider} failed: ${cause.name}`, {
    provider,
    retryable: !(cause instanceof Error && 'retryable' in cause && cause.retryable === false),
    failure: 'bad_answer',
    cause,
  });
}
