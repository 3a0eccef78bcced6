import type { SampleRateHz } from '#media/samples/audio.js';
import type { NoiseSuppression, NoiseSuppressor } from '#media/detecting/noise-suppression.js';
import { DECODER_RATE_HZ, type Decoder } from './decoder.js';
import type { Grammar } from '#providers/builtin/pocketsphinx/grammar/grammar.js';

/** Limit of an utterance; audio after it is ignored. */
const LONGEST_UTTERANCE_SECONDS = 60;

/** One utterance of a session, from its first audio to its answer, as `UtteranceQueue` processes it. */
export interface Utterance {
  readonly session: RecognitionSession;
  readonly grammar: Grammar;
  /** Audio that was not processed yet, −1 to 1, at the decoder's rate. */
  readonly waitingAudio: Float32Array[];
  /** Samples so far, processed or waiting. */
  sampleCount: number;
  /** Null before its first audio is processed, and at the end. */
  decoder: Decoder | null;
  /** The number of the request to answer when all audio is processed; null while the utterance is in progress. */
  finish: number | null;
  /** True if it was no speech. */
  isDropped: boolean;
  /** True if the engine failed. */
  hasFailed: boolean;
  /** The interim words reported last. */
  partial: string;
}

/**
 * One call's session within a speech thread: suppresses noise, resamples to the decoder's rate, and divides the audio
 * into utterances. Used by the recognition duties (`recogniser.ts`).
 */
export class RecognitionSession {
  /** Identifies the session in messages to and from the thread. */
  readonly number: number;
  readonly wantsPartials: boolean;
  readonly #suppressor: NoiseSuppressor;
  /** The grammar of the next utterance. */
  grammar: Grammar;
  #current: Utterance | null = null;

  constructor(
    options: { session: number; sampleRateHz: SampleRateHz; wantsPartials: boolean },
    parts: { suppression: NoiseSuppression; grammar: Grammar },
  ) {
    this.number = options.session;
    this.wantsPartials = options.wantsPartials;
    this.grammar = parts.grammar;
    // Without suppression, noise 25 dB below the voice is recognised as words and spoils nearly every answer.
    this.#suppressor = parts.suppression.open({ fromHz: options.sampleRateHz, toHz: DECODER_RATE_HZ });
  }

  /** Adds audio to the utterance in progress; returns the utterance if this is its beginning, else null. */
  push(samples: Int16Array): Utterance | null {
    const isFirst = this.#current === null;
    const utterance = (this.#current ??= this.#begin());
    if (utterance.sampleCount > LONGEST_UTTERANCE_SECONDS * DECODER_RATE_HZ) return null;
    const cleaned = this.#suppressor.process(samples);
    utterance.waitingAudio.push(Float32Array.from(cleaned, (sample) => sample / 32_768));
    utterance.sampleCount += cleaned.length;
    return isFirst ? utterance : null;
  }

  /** Ends the utterance in progress and returns it; null if there is none. @param request the request to answer */
  finish(request: number): Utterance | null {
    const utterance = this.#current;
    this.#current = null;
    if (utterance) utterance.finish = request;
    return utterance;
  }

  /** Drops the utterance in progress: it was no speech. */
  discard(): void {
    if (this.#current) this.#current.isDropped = true;
    this.#current = null;
  }

  free(): void {
    this.discard();
    this.#suppressor.free();
  }

  #begin(): Utterance {
    return {
      session: this,
      grammar: this.grammar,
      waitingAudio: [],
      sampleCount: 0,
      decoder: null,
      finish: null,
      isDropped: false,
      hasFailed: false,
      partial: '',
    };
  }
}
