import { FRAME_MS } from '#media/samples/audio.js';

/** Louder than this (RMS of 16-bit samples, −40 dBFS) is speech: agents speak on a clean line, levelled far above. */
const SPEECH_RMS = 328;
/** So much sound begins a turn: shorter bursts are clicks. */
const BEGINS_AFTER_MS = 60;
/** So much silence ends it: longer than the pause between two sentences. */
const ENDS_AFTER_MS = 600;

/** What a listener may notice in a frame. */
export type TurnChange = 'began' | 'ended' | null;

/** Hears by loudness alone when the other side begins and ends its turns. Time is counted in frames of 20 ms. */
export class TurnListener {
  #isInTurn = false;
  #soundMs = 0;
  #silenceMs = 0;

  /** Whether the other side is in the middle of a turn. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  /** Takes the next frame; null is silence. */
  hear(samples: Int16Array | null): TurnChange {
    if (samples !== null && isSpeech(samples)) {
      this.#soundMs += FRAME_MS;
      this.#silenceMs = 0;
      if (this.#isInTurn || this.#soundMs < BEGINS_AFTER_MS) return null;
      this.#isInTurn = true;
      return 'began';
    }
    this.#silenceMs += FRAME_MS;
    if (this.#silenceMs > BEGINS_AFTER_MS) this.#soundMs = 0;
    if (!this.#isInTurn || this.#silenceMs < ENDS_AFTER_MS) return null;
    this.#isInTurn = false;
    return 'ended';
  }
}

function isSpeech(samples: Int16Array): boolean {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return energy > SPEECH_RMS * SPEECH_RMS * samples.length;
}
