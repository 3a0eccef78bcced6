/**
 * The connection to a vendor's voices, which the folder of each vendor implements. `vendorTts` decodes the audio and
 * makes a voice (port `Tts`) from it.
 */
import type { SampleRateHz } from '#media/samples/audio.js';
import type { SpokenWord } from '#speech/tts.js';
import type { VoiceSettings } from '#speech/voice-settings.js';

/** The audio format of a vendor's answer, one channel. `pcm16`: 16-bit little-endian samples; `mulaw`: µ-law. */
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

/**
 * A part of an answer: the next bytes of audio, cut anywhere, or further words (or letters) of the sentence with the
 * times at which they end, counted from the first sample of the answer.
 */
export type VoicePart = { bytes: Uint8Array } | { words: readonly SpokenWord[] };

/** The connection to one vendor's voices. It sends sentences and splits answers into parts; it never retries. */
export interface VoiceWire {
  readonly provider: string;
  /** Identifies the address and the key of requests: an outage of one account leaves others in use. */
  readonly account: string;
  /** The format that is requested from the vendor for a call with this sample rate. */
  format(sentence: Pick<VoiceSentence, 'sampleRateHz'>): SoundFormat;
  /**
   * Speaks a sentence; ends after its last part. An abort closes the connection or cancels the sentence at the vendor.
   * @throws SpeechError, or the error of the connection
   */
  stream(sentence: VoiceSentence, signal: AbortSignal): AsyncIterable<VoicePart>;
  /** Opens a connection ahead of the next sentence. Missing if sentences do not share connections. */
  prepare?(sentence: Omit<VoiceSentence, 'text'>): void;
  /** Closes the connections that wait for the next sentence. Missing if there are none. */
  close?(): void;
}
