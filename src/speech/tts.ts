import type { SampleRateHz } from '#media/samples/audio.js';

/** Speaking: text to speech (port). Adapters: one file each; all pass `test/contracts/speaking`. */
export interface Tts {
  readonly name: string;
  /** Whether it computes on this machine: late, it is busy and has not failed. Default false. */
  readonly isLocal?: boolean;
  /** The voices it has, the first one being its default. */
  readonly voices: readonly string[];
  /**
   * Speaks a text: sound in pieces of any length, the first as soon as it is there, at the rate asked for, levelled
   * and without leading silence. Aborting ends the iteration early and frees what computes.
   */
  speak(request: SpeakRequest): AsyncIterable<Int16Array>;
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
}
