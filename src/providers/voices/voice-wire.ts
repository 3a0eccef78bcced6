import type { SampleRateHz } from '#media/samples/audio.js';
import type { SpokenWord } from '#speech/tts.js';
import type { VoiceSettings } from '#speech/voice-settings.js';

/** The audio format of a vendor's answer. */
export interface SoundFormat {
  encoding: 'pcm16' | 'mulaw';
  rateHz: number;
}

/** One sentence as requested from a vendor. */
export interface VoiceSentence {
  text: string;
  /** Null if neither the agent nor the settings name a voice. */
  voice: string | null;
  model: string | null;
  language: string;
  sampleRateHz: SampleRateHz;
  settings: VoiceSettings;
}

/** A part of an answer: audio, cut anywhere, or further words (or letters) with their end times in the audio. */
export type VoicePart = { bytes: Uint8Array } | { words: readonly SpokenWord[] };

/** The connection to one vendor's voices; neither decodes nor retries. */
export interface VoiceWire {
  readonly provider: string;
  /** Identifies the address and the key of requests. */
  readonly account: string;
  /** The format requested from the vendor for a line of this rate. */
  format(sentence: Pick<VoiceSentence, 'sampleRateHz'>): SoundFormat;
  /**
   * Ends after the last part of the sentence. An abort closes the connection or cancels the sentence at the vendor.
   * @throws SpeechError, or the error of the connection
   */
  stream(sentence: VoiceSentence, signal: AbortSignal): AsyncIterable<VoicePart>;
  /** Opens a connection for the next sentences. */
  prepare?(sentence: Omit<VoiceSentence, 'text'>): void;
  close?(): void;
}
