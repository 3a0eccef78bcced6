import { createEndpointDetector, type EndpointDetector } from '#media/detecting/endpoints.js';
import type { VoiceActivity } from '#media/detecting/voice-activity.js';
import type { SampleRateHz } from '#media/samples/audio.js';

/** Silence that ends an utterance: only times are told by it, the session decides when a turn is over. */
const SILENCE_WINDOW_MS = 600;

interface Span {
  startMs: number;
  endMs: number;
}

/** When the caller speaks, by our own detector: a session tells words without times. */
export class CallerVoice {
  readonly #detector: EndpointDetector;
  /** Where the present utterance began, as far as its words have not come; null while there is none. */
  #startMs: number | null = null;
  /** Utterances whose words have not come, in order. */
  readonly #wordless: Span[] = [];
  #lastEndMs = 0;

  constructor(voiceActivity: VoiceActivity, sampleRateHz: SampleRateHz) {
    this.#detector = createEndpointDetector(voiceActivity.open(sampleRateHz), {
      silenceWindowMs: SILENCE_WINDOW_MS,
    });
  }

  get isSpeaking(): boolean {
    return this.#detector.isSpeaking;
  }

  /** The end of the newest voice, in milliseconds of the stream; 0 while there was none. */
  get lastVoicedMs(): number {
    return this.isSpeaking ? this.#detector.positionMs - this.#detector.silenceMs : this.#lastEndMs;
  }

  /** How long the present utterance has lasted; 0 while there is none. */
  get utteranceMs(): number {
    return this.isSpeaking && this.#startMs !== null ? this.#detector.positionMs - this.#startMs : 0;
  }

  /** Takes the next frame; whether an utterance has just ended. */
  hear(frame: Int16Array): boolean {
    const event = this.#detector.push(frame);
    if (event?.kind === 'start') this.#startMs = event.atMs;
    if (event?.kind !== 'end') return false;
    this.#lastEndMs = event.lastVoicedMs;
    const span = { startMs: this.#startMs ?? event.lastVoicedMs, endMs: event.lastVoicedMs };
    if (span.startMs < span.endMs) this.#wordless.push(span);
    this.#startMs = null;
    return true;
  }

  /** When the words were spoken that have just come: in the oldest utterance without words, or in the present one. */
  spanOfWords(): Span {
    const span = this.#wordless.shift();
    if (span) return span;
    const endMs = this.lastVoicedMs;
    const startMs = Math.min(this.#startMs ?? endMs, endMs);
    this.#startMs = endMs;
    return { startMs, endMs };
  }

  close(): void {
    this.#detector.free();
  }
}
