import { frameSamples } from '#media/samples/audio.js';

const RATE_HZ = 16_000;
const FRAME_SAMPLES = frameSamples(RATE_HZ);
/** Audio starts when this much is buffered. Source: mod_audio_fork. */
const PREBUFFER_SAMPLES = (RATE_HZ * 80) / 1_000;
const MOST_MARKS = 30;

/** The playout buffer of a `listen`, at 16 kHz: audio and marks in order. */
export class ListenPlayout {
  #items: (Int16Array | string)[] = [];
  #isPlaying = false;
  readonly #tell: (name: string, event: 'playout' | 'cleared') => void;

  constructor(tell: (name: string, event: 'playout' | 'cleared') => void) {
    this.#tell = tell;
  }

  add(sound: Int16Array): void {
    if (sound.length > 0) this.#items.push(sound);
  }

  /** A mark is returned when everything before it has been played; more than thirty are silently dropped. */
  mark(name: string): void {
    if (this.#items.filter((item) => typeof item === 'string').length < MOST_MARKS) this.#items.push(name);
    if (!this.#isPlaying) this.#returnMarks();
  }

  /** Discards the audio, and reports every remaining mark as cleared. */
  clear(): void {
    const marks = this.#items.filter((item) => typeof item === 'string');
    this.#items = [];
    this.#isPlaying = false;
    for (const name of marks) this.#tell(name, 'cleared');
  }

  /** The next 20 ms, padded with silence; null if the buffer is empty, or not full enough to start. */
  next(): Int16Array | null {
    if (!this.#isPlaying && this.#bufferedSamples() < PREBUFFER_SAMPLES) return null;
    const frame = new Int16Array(FRAME_SAMPLES);
    let filled = 0;
    while (filled < FRAME_SAMPLES) {
      const item = this.#items[0];
      if (!(item instanceof Int16Array)) break;
      const taken = item.subarray(0, FRAME_SAMPLES - filled);
      frame.set(taken, filled);
      filled += taken.length;
      if (taken.length === item.length) this.#items.shift();
      else this.#items[0] = item.subarray(taken.length);
    }
    this.#isPlaying = filled > 0;
    this.#returnMarks();
    return filled === 0 ? null : frame;
  }

  #bufferedSamples(): number {
    return this.#items.reduce((sum, item) => sum + (typeof item === 'string' ? 0 : item.length), 0);
  }

  #returnMarks(): void {
    for (let item = this.#items[0]; typeof item === 'string'; item = this.#items[0]) {
      this.#items.shift();
      this.#tell(item, 'playout');
    }
  }
}
