import { FRAME_MS } from '#media/samples/audio.js';

/**
 * Audio above this level (RMS of 16-bit samples, −40 dBFS) is speech: the agent's audio comes without line noise and is
 * far louder.
 */
const SPEECH_RMS = 328;
/** The shortest sound that begins a turn; shorter sounds are clicks. */
const TURN_BEGINS_AFTER_MS = 60;
/** Longer silence before a turn begins discards the sound so far. */
const LONGEST_GAP_MS = 60;
/** The silence that ends a turn: longer than the pause between sentences. */
const TURN_ENDS_AFTER_MS = 600;

/** A change of the agent's turn within a frame; null for none. */
export type TurnChange = 'began' | 'ended' | null;

/**
 * Detects for a `SimulatedCallee` when the agent begins and ends a turn: by loudness, with time counted in frames of
 * 20 ms.
 */
export class TurnListener {
  #isInTurn = false;
  /** Speech since the last silence of more than 60 ms. */
  #soundMs = 0;
  /** Silence since the last speech. */
  #silenceMs = 0;

  /** True while the agent is in a turn. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  /**
   * Takes the next frame of the agent's audio (null is silence) and returns the change of turn. Before a turn,
   * gaps of up to 60 ms do not interrupt speech.
   */
  hear(samples: Int16Array | null): TurnChange {
    if (samples !== null && isSpeech(samples)) {
      this.#soundMs += FRAME_MS;
      this.#silenceMs = 0;
      if (this.#isInTurn || this.#soundMs < TURN_BEGINS_AFTER_MS) return null;
      this.#isInTurn = true;
      return 'began';
    }
    this.#silenceMs += FRAME_MS;
    if (this.#silenceMs > LONGEST_GAP_MS) this.#soundMs = 0;
    if (!this.#isInTurn || this.#silenceMs < TURN_ENDS_AFTER_MS) return null;
    this.#isInTurn = false;
    return 'ended';
  }
}

function isSpeech(samples: Int16Array): boolean {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return energy > SPEECH_RMS * SPEECH_RMS * samples.length;
}
