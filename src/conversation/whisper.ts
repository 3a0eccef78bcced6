import { RelayedSound } from '#conversation/line/relayed-sound.js';

const LARGEST_SAMPLE = 32_767;

/**
 * Sound that only one party of two joined lines hears, mixed over the other party's voice: a person of the console
 * speaks to the party alone. Used by `TalkSteering`.
 */
export class Whisper {
  readonly #whispered: RelayedSound;
  readonly #frame: Int16Array;

  constructor(frameSamples: number) {
    this.#whispered = new RelayedSound(frameSamples);
    this.#frame = new Int16Array(frameSamples);
  }

  /** Takes the whispered sound, at the rate of the line, in pieces of any length. */
  hear(samples: Int16Array): void {
    this.#whispered.hear(samples);
  }

  /** Mixes the whisper into the frame of a tick, which may be unfilled; returns true if the frame is filled then. */
  mixInto(frame: Int16Array, isFilled: boolean): boolean {
    if (!this.#whispered.fill(this.#frame)) return isFilled;
    if (!isFilled) frame.set(this.#frame);
    else
      for (let index = 0; index < frame.length; index += 1)
        frame[index] = Math.max(
          -LARGEST_SAMPLE,
          Math.min(LARGEST_SAMPLE, frame[index]! + this.#frame[index]!),
        );
    return true;
  }
}
