import { createEndpointDetector, type EndpointDetector } from '#media/detecting/endpoints.js';
import type { VoiceActivity } from '#media/detecting/voice-activity.js';
import type { SampleRateHz } from '#media/samples/audio.js';

/** Silence that ends an utterance. It serves the times of words only: the session decides when a turn is over. */
const SILENCE_WINDOW_MS = 600;

/** A period of speech, in milliseconds of the stream. */
interface SpeechSpan {
  startMs: number;
  endMs: number;
}

/**
 * The times of the caller's speech in a speech-to-speech conversation, from our own voice detection: a session reports
 * words without times. Used by `RealtimeConversation`.
 */
export class CallerVoice {
  readonly #detector: EndpointDetector;
  /** Start of the present utterance, or of its part without words; null while there is none. */
  #startMs: number | null = null;
  /** Utterances whose words have not arrived, in order. */
  readonly #spansWithoutWords: SpeechSpan[] = [];
  #lastEndMs = 0;

  constructor(voiceActivity: VoiceActivity, sampleRateHz: SampleRateHz) {
    this.#detector = createEndpointDetector(voiceActivity.open(sampleRateHz), {
      silenceWindowMs: SILENCE_WINDOW_MS,
    });
  }

  /** True during an utterance, its pauses included. */
  get isSpeaking(): boolean {
    return this.#detector.isSpeaking;
  }

  /** End of the newest voice, in milliseconds of the stream; 0 if there was none. */
  get lastVoicedMs(): number {
    return this.isSpeaking ? this.#detector.positionMs - this.#detector.silenceMs : this.#lastEndMs;
  }

  /** Length of the present utterance in milliseconds; 0 while there is none. */
  get utteranceMs(): number {
    return this.isSpeaking && this.#startMs !== null ? this.#detector.positionMs - this.#startMs : 0;
  }

  /** Takes the next frame; returns true if an utterance has just ended. */
  hear(frame: Int16Array): boolean {
    const event = this.#detector.push(frame);
    if (event?.kind === 'start') this.#startMs = event.atMs;
    if (event?.kind !== 'end') return false;
    this.#lastEndMs = event.lastVoicedMs;
    const span = { startMs: this.#startMs ?? event.lastVoicedMs, endMs: event.lastVoicedMs };
    if (span.startMs < span.endMs) this.#spansWithoutWords.push(span);
    this.#startMs = null;
    return true;
  }

  /**
   * Takes the time span for newly arrived words: the oldest utterance without words, or else the present one so far.
   */
  takeSpan(): SpeechSpan {
    const span = this.#spansWithoutWords.shift();
    if (span) return span;
    const endMs = this.lastVoicedMs;
    const startMs = Math.min(this.#startMs ?? endMs, endMs);
    this.#startMs = endMs;
    return { startMs, endMs };
  }

  /** Frees the voice detector. */
  close(): void {
    this.#detector.free();
  }
}
