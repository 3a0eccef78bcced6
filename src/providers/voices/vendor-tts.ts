import type { Resampling } from '#media/samples/resampler.js';
import { SpeechError } from '#speech/speech-error.js';
import type { SpeakRequest, SpokenWord, Tts } from '#speech/tts.js';
import { SoundDecoder } from './sound-decoder.js';
import { asSpeechError } from './voice-errors.js';
import type { VoiceSentence, VoiceWire } from './voice-wire.js';

/** Samples up to this level (−46 dBFS) before the first word are silence. */
const SILENT_BELOW = 160;
/** This much of the leading silence is kept, because a word may begin softly. */
const KEPT_SILENCE_MS = 10;

/** The voice and model of a vendor for agents that name none. */
export interface VoiceDefaults {
  voice: string | null;
  model: string | null;
}

/**
 * Makes a voice (port `Tts`) from the connection to a vendor. `speak` yields samples at the rate of the call, without
 * leading silence, and rejects with a SpeechError, also if the vendor sends no audible sound. `Voices` makes a voice of
 * each vendor and adds retries, fallbacks and the cache.
 * @param resampling loads the resampler; called for each sentence
 */
export function vendorTts(
  wire: VoiceWire,
  defaults: VoiceDefaults,
  resampling: () => Promise<Resampling>,
): Tts {
  const sentenceOf = (request: Omit<SpeakRequest, 'text'>, text: string): VoiceSentence => ({
    text,
    voice: request.voice ?? defaults.voice,
    model: request.settings?.model ?? defaults.model,
    language: request.language,
    sampleRateHz: request.sampleRateHz,
    settings: request.settings ?? {},
  });
  return {
    name: wire.provider,
    voices: [],
    async *speak(request) {
      if (request.signal?.aborted) return;
      // A consumer that stops reading without an abort must also end the vendor's stream.
      const abandoned = new AbortController();
      const signal = request.signal ? AbortSignal.any([request.signal, abandoned.signal]) : abandoned.signal;
      const audio = new SentenceAudio(request, wire, await resampling());
      try {
        for await (const part of wire.stream(sentenceOf(request, request.text), signal)) {
          if (signal.aborted) return;
          const piece = 'bytes' in part ? audio.addBytes(part.bytes) : audio.addWords(part.words);
          if (piece.length > 0) yield piece;
        }
        const tail = audio.end();
        if (tail.length > 0) yield tail;
        if (!audio.isAudible && !signal.aborted) throw noAudibleSound(wire.provider);
      } catch (error) {
        if (!signal.aborted) throw asSpeechError(wire.provider, error);
      } finally {
        abandoned.abort();
        audio.free();
      }
    },
    prepare: (request) => wire.prepare?.(sentenceOf(request, '')),
    async close() {
      wire.close?.();
    },
  };
}

/**
 * Collects the audio of one sentence and the times of its words. Leading silence is removed, and the times of the words
 * are moved by its length.
 */
class SentenceAudio {
  readonly #decoder: SoundDecoder;
  readonly #request: SpeakRequest;
  readonly #words: SpokenWord[] = [];
  /** The length of the leading silence that was removed so far. */
  #skippedMs = 0;
  /** True once an audible sample has come. */
  isAudible = false;

  constructor(request: SpeakRequest, wire: VoiceWire, resampling: Resampling) {
    this.#request = request;
    this.#decoder = new SoundDecoder(wire.format(request), request.sampleRateHz, resampling);
  }

  /** Adds bytes of the vendor; returns the samples that are complete, without leading silence. */
  addBytes(bytes: Uint8Array): Int16Array {
    return this.#withoutSilence(this.#decoder.decode(bytes));
  }

  /** Adds words with their times, counted from the first sample that the vendor sent. Returns no audio. */
  addWords(words: readonly SpokenWord[]): Int16Array {
    this.#words.push(...words);
    this.#reportWords();
    return new Int16Array(0);
  }

  /** Ends the audio; returns the last samples. */
  end(): Int16Array {
    return this.#withoutSilence(this.#decoder.flush());
  }

  /** Frees the decoder's memory in WebAssembly. */
  free(): void {
    this.#decoder.free();
  }

  /** Removes silence before the first audible sample of the sentence. */
  #withoutSilence(piece: Int16Array): Int16Array {
    if (this.isAudible || piece.length === 0) return piece;
    const rate = this.#request.sampleRateHz;
    const first = piece.findIndex((sample) => Math.abs(sample) > SILENT_BELOW);
    const from = first < 0 ? piece.length : Math.max(0, first - (KEPT_SILENCE_MS * rate) / 1000);
    this.#skippedMs += (from * 1000) / rate;
    if (first < 0) return new Int16Array(0);
    this.isAudible = true;
    this.#reportWords();
    return piece.subarray(from);
  }

  /** Reports all words so far. Repeated when the length of the removed silence is known, which moves their times. */
  #reportWords(): void {
    if (this.#words.length === 0) return;
    this.#request.onWords?.(
      this.#words.map(({ text, endMs }) => ({ text, endMs: Math.max(0, endMs - this.#skippedMs) })),
    );
  }
}

function noAudibleSound(provider: string): SpeechError {
  return new SpeechError(`${provider} answered without a sound`, {
    provider,
    retryable: false,
    failure: 'bad_answer',
  });
}
