import { FRAME_MS, frameSamples } from '#media/samples/audio.js';
import { createFramer } from '#media/pacing/framer.js';
import type { VoiceDetector } from './voice-activity.js';

/** Speech starts with 100 ms of voice within 200 ms: shorter sounds are clicks and coughs. */
const START_VOICED_FRAMES = 100 / FRAME_MS;
const START_WINDOW_FRAMES = 200 / FRAME_MS;
/** The longest piece for one push, so that one push yields at most one event. */
const LONGEST_PUSH_MS = 100;
/** The shortest silence that may end an utterance: speech has gaps between words. */
const SHORTEST_SILENCE_WINDOW_MS = 200;

/** Events of speech; times are milliseconds on the sample clock, counted from the first sample pushed. */
export type SpeechEvent =
  /** Speech began; `atMs` is the start of the voice, 100 to 200 ms before now. */
  | { kind: 'start'; atMs: number }
  /** The whole silence window passed; `lastVoicedMs` is the end of the last voiced frame, at least a window before. */
  | { kind: 'end'; lastVoicedMs: number };

/**
 * Finds the start and end of utterances in the audio of one call. Used by `UtteranceSegmenter`, and by `CallerVoice` of
 * speech-to-speech conversations.
 */
export interface EndpointDetector {
  /**
   * Takes the next samples, up to 100 ms ({@link LONGEST_PUSH_MS}).
   * @throws RangeError for a longer piece: cut it with a framer first
   */
  push(samples: Int16Array): SpeechEvent | null;
  /** Sets the silence that ends an utterance; less than 200 ms means 200. Applies at once, also within an utterance. */
  setSilenceWindowMs(silenceWindowMs: number): void;
  /** True between a `start` and its `end`. */
  readonly isSpeaking: boolean;
  /** True if the newest whole frame is voiced; false after `cancel` until the next frame. */
  readonly isVoiced: boolean;
  /** Milliseconds of voiced frames in the current utterance; 0 between utterances. */
  readonly voicedMs: number;
  /** Milliseconds since the last voiced frame of the current utterance; 0 while voiced and between utterances. */
  readonly silenceMs: number;
  /** Milliseconds of audio pushed so far. */
  readonly positionMs: number;
  /** See {@link VoiceDetector.snrDb}. */
  readonly snrDb: number | null;
  /** Drops the current utterance, and gives no `end` for it; the sample clock and the noise level stay. */
  cancel(): void;
  /** Frees the detector. May be called twice. */
  free(): void;
}

/** An endpoint detector over a voice detector, which it owns and frees. */
export function createEndpointDetector(
  detector: VoiceDetector,
  options: { silenceWindowMs: number },
): EndpointDetector {
  return new Endpoints(detector, options.silenceWindowMs);
}

/** See {@link EndpointDetector}: a state machine over the voice flags of the newest frames. */
class Endpoints implements EndpointDetector {
  readonly #detector: VoiceDetector;
  readonly #samplesPerMs: number;
  readonly #longestPushSamples: number;
  readonly #framer;
  /** Voice flags of the newest {@link START_WINDOW_FRAMES} frames as bits, the newest lowest; 1 is voiced. */
  #history = 0;
  /** Whole frames so far. */
  #frames = 0;
  #pushedSamples = 0;
  /** Frames since the last voiced frame of the current utterance. */
  #silenceFrames = 0;
  #silenceWindowFrames = 0;
  #voicedFrames = 0;
  #speaking = false;
  /** The event of the present push: the framer calls `#takeFrame`, which cannot return it. */
  #event: SpeechEvent | null = null;
  readonly #takeFrame = (frame: Int16Array) => this.#takeVoiceFlag(this.#detector.isVoice(frame));

  constructor(detector: VoiceDetector, silenceWindowMs: number) {
    this.#detector = detector;
    this.#samplesPerMs = detector.sampleRateHz / 1000;
    this.#longestPushSamples = LONGEST_PUSH_MS * this.#samplesPerMs;
    this.#framer = createFramer(frameSamples(detector.sampleRateHz));
    this.setSilenceWindowMs(silenceWindowMs);
  }

  push(samples: Int16Array): SpeechEvent | null {
    if (samples.length > this.#longestPushSamples) {
      throw new RangeError(`a push holds at most ${LONGEST_PUSH_MS} ms of sound`);
    }
    this.#event = null;
    this.#pushedSamples += samples.length;
    this.#framer.push(samples, this.#takeFrame);
    return this.#event;
  }

  setSilenceWindowMs(silenceWindowMs: number): void {
    this.#silenceWindowFrames = Math.ceil(Math.max(silenceWindowMs, SHORTEST_SILENCE_WINDOW_MS) / FRAME_MS);
  }

  get isSpeaking(): boolean {
    return this.#speaking;
  }

  get isVoiced(): boolean {
    return (this.#history & 1) === 1;
  }

  get voicedMs(): number {
    return this.#voicedFrames * FRAME_MS;
  }

  get silenceMs(): number {
    return this.#silenceFrames * FRAME_MS;
  }

  get positionMs(): number {
    return this.#pushedSamples / this.#samplesPerMs;
  }

  get snrDb(): number | null {
    return this.#detector.snrDb;
  }

  cancel(): void {
    this.#speaking = false;
    this.#history = this.#silenceFrames = this.#voicedFrames = 0;
  }

  free(): void {
    this.#detector.free();
  }

  /** Takes the verdict of the voice detector on the next frame. */
  #takeVoiceFlag(isVoice: boolean): void {
    this.#frames++;
    this.#history = ((this.#history << 1) | (isVoice ? 1 : 0)) & ((1 << START_WINDOW_FRAMES) - 1);
    if (this.#speaking) this.#continueUtterance(isVoice);
    else if (isVoice && countBits(this.#history) >= START_VOICED_FRAMES) this.#start();
  }

  #start(): void {
    // The highest set bit of the history is the oldest voiced frame of the window, which began this many frames ago.
    const firstVoicedAge = 32 - Math.clz32(this.#history);
    this.#speaking = true;
    this.#voicedFrames = countBits(this.#history);
    this.#silenceFrames = 0;
    this.#event = { kind: 'start', atMs: (this.#frames - firstVoicedAge) * FRAME_MS };
  }

  /** Counts a frame within an utterance, and ends the utterance after the silence window. */
  #continueUtterance(isVoice: boolean): void {
    if (isVoice) {
      this.#voicedFrames++;
      this.#silenceFrames = 0;
      return;
    }
    if (++this.#silenceFrames < this.#silenceWindowFrames) return;
    this.#event = { kind: 'end', lastVoicedMs: (this.#frames - this.#silenceFrames) * FRAME_MS };
    this.cancel();
  }
}

/** The number of set bits. */
function countBits(bits: number): number {
  let count = 0;
  // Each step clears the lowest set bit.
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
