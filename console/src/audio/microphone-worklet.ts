// Runs on the audio thread: what the microphone gives, at the rate of the device, as 16-bit frames of 20 ms.
import { Resampler } from './low-pass.js';

const TARGET_RATE = 16_000;
const FRAME_SAMPLES = TARGET_RATE / 50;
const FULL_SCALE = 32_767;

class Microphone extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(sampleRate, TARGET_RATE);
  #frame = new Int16Array(FRAME_SAMPLES);
  #filled = 0;

  override process(inputs: Float32Array[][]): boolean {
    const channel = inputs[0]?.[0];
    if (channel !== undefined) this.#resampler.push(channel, (sample) => this.#take(sample));
    return true;
  }

  #take(sample: number): void {
    this.#frame[this.#filled] = Math.max(-1, Math.min(1, sample)) * FULL_SCALE;
    this.#filled += 1;
    if (this.#filled < FRAME_SAMPLES) return;
    const { buffer } = this.#frame;
    this.port.postMessage(buffer, [buffer]);
    this.#frame = new Int16Array(FRAME_SAMPLES);
    this.#filled = 0;
  }
}

registerProcessor('microphone', Microphone);
