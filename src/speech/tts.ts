import type { SampleRateHz } from '#media/samples/audio.js';
import type { ReadableLetters } from './speakable/speakable-text.js';
import type { VoiceSettings } from './voice-settings.js';

/** Speaking: text to speech (port). Adapters: one file each; all pass `test/contracts/tts`. */
export interface Tts {
  readonly name: string;
  /** Whether it computes on this machine: late, it is busy and has not failed. Default false. */
  readonly isLocal?: boolean;
  /** The voices it is known to have, the first one being its default; empty where only the vendor knows them. */
  readonly voices: readonly string[];
  /** The letters it can read; any by default. */
  readonly letters?: ReadableLetters;
  /**
   * Speaks a text: sound in pieces of any length, the first as soon as it is there, at the rate asked for, without
   * leading silence. Aborting ends the iteration early and frees what computes, or closes the connection.
   */
  speak(request: SpeakRequest): AsyncIterable<Int16Array>;
  /** Opens what the next sentence would have to wait for, as far as that costs nothing. */
  prepare?(request: Pick<SpeakRequest, 'voice' | 'language' | 'sampleRateHz' | 'settings'>): void;
  /** How many characters a vendor will be given for a sentence; none where it is kept from before. */
  charactersOf?(request: SpeakRequest): number;
  close(): Promise<void>;
}

/** A text, and how it is to sound. */
export interface SpeakRequest {
  text: string;
  /** One of `voices`; an unknown or null voice is the default. */
  voice: string | null;
  language: string;
  sampleRateHz: SampleRateHz;
  signal?: AbortSignal;
  settings?: VoiceSettings;
  /** False: the text is read as it is written. Default true. */
  normalise?: boolean;
  /**
   * Given the words that were read so far and when each of them ends, as often as more of them are known, by voices
   * that tell: always all words from the first on.
   */
  onWords?: (words: readonly SpokenWord[]) => void;
}

/** A word of a text, and where it ends in its sound. */
export interface SpokenWord {
  text: string;
  endMs: number;
}
