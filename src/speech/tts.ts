import type { SampleRateHz } from '#media/samples/audio.js';
import type { ReadableLetters } from './speakable/speakable-text.js';
import type { VoiceSettings } from './voice-settings.js';

/**
 * Text to speech (port). Adapters in src/providers implement it; all pass `test/contracts/tts`. `SpeechPlayer` speaks
 * the agent's sentences with it, and the sandbox those of its simulated callees.
 */
export interface Tts {
  readonly name: string;
  /**
   * True if the voice computes on this machine: if it is late, the machine is busy, and timeouts are longer. Default
   * false.
   */
  readonly isLocal?: boolean;
  /** The known voices, the first being the default; empty if only the vendor knows them. */
  readonly voices: readonly string[];
  /** The letters that the voice can read; any by default. */
  readonly letters?: ReadableLetters;
  /**
   * Speaks a text: sound in pieces of any length, the first as early as possible, at the requested rate, without
   * leading silence. Aborting ends the iteration early and stops the computation, or closes the connection.
   */
  speak(request: SpeakRequest): AsyncIterable<Int16Array>;
  /** Opens a connection that the next sentence would have to wait for, if that costs nothing. */
  prepare?(request: Pick<SpeakRequest, 'voice' | 'language' | 'sampleRateHz' | 'settings'>): void;
  /** Number of characters that the vendor will receive for a sentence; 0 if the sentence is cached. */
  charactersOf?(request: SpeakRequest): number;
  /** Releases the adapter's resources at the end of the process. */
  close(): Promise<void>;
}

/** A text, and its voice. */
export interface SpeakRequest {
  text: string;
  /** Null: the default voice. An unknown one is the default, too, if `voices` is not empty; else the vendor decides. */
  voice: string | null;
  /** A language tag such as `en-US`. */
  language: string;
  sampleRateHz: SampleRateHz;
  signal?: AbortSignal;
  settings?: VoiceSettings;
  /** False: figures, dates and markup are read as written. Default true: see `withSpeakableText`. */
  normalise?: boolean;
  /** Called by voices that report word times, each time with all words so far, from the first on. */
  onWords?: (words: readonly SpokenWord[]) => void;
}

/** A word of a text, and its end in milliseconds from the beginning of the sound. */
export interface SpokenWord {
  text: string;
  endMs: number;
}
