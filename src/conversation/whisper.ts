import { RelayedSound } from '#conversation/line/relayed-sound.js';

const LOUDEST = 32_767;

/** Sound for one end of a line only, mixed over whatever else that end hears. */
export class Whisper {
  readonly #sound: RelayedSound;
  readonly #frame: Int16Array;

  constructor(frameSamples: number) {
    this.#sound = new RelayedSound(frameSamples);
    this.#frame = new Int16Array(frameSamples);
  }

  hear(samples: Int16Array): void {
    this.#sound.hear(samples);
  }

  /** Mixes the whispered sound into the frame of a tick; false if the frame stays unfilled. */
  mixInto(frame: Int16Array, isFilled: boolean): boolean {
    if (!this.#sound.fill(this.#frame)) return isFilled;
    if (!isFilled) frame.set(this.#frame);
    else
      for (let index = 0; index < frame.length; index += 1)
        frame[index] = Math.max(-LOUDEST, Math.min(LOUDEST, frame[index]! + this.#frame[index]!));
    return true;
  }
}
