import type { SampleRateHz } from '#media/samples/audio.js';
import type { SpokenWord } from '#speech/tts.js';
import type { VoiceSettings } from '#speech/voice-settings.js';

/** How the sound of a vendor comes. */
export interface SoundFormat {
  encoding: 'pcm16' | 'mulaw';
  rateHz: number;
}

/** One sentence, as it is asked of a vendor. */
export interface VoiceSentence {
  text: string;
  /** Null where neither the agent nor the settings name one. */
  voice: string | null;
  model: string | null;
  language: string;
  sampleRateHz: SampleRateHz;
  settings: VoiceSettings;
}

/** A part of an answer: sound, cut anywhere, or further words (or letters) and when they end in the sound. */
export type VoicePart = { bytes: Uint8Array } | { words: readonly SpokenWord[] };

/** The wire to the voices of one vendor; it neither decodes nor repeats anything. */
export interface VoiceWire {
  readonly provider: string;
  /** A name for where requests go and with whose key. */
  readonly account: string;
  /** The format it asks the vendor for, for a line of this rate. */
  format(sentence: Pick<VoiceSentence, 'sampleRateHz'>): SoundFormat;
  /**
   * Ends with the last part of the sentence. An abort closes the connection, or cancels the sentence at the vendor.
   * @throws SpeechError, or what the connection says
   */
  stream(sentence: VoiceSentence, signal: AbortSignal): AsyncIterable<VoicePart>;
  /** Opens a connection for the sentences to come. */
  prepare?(sentence: Omit<VoiceSentence, 'text'>): void;
  close?(): void;
}
