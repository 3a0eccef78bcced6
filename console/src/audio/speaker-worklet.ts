// Runs on the audio thread: plays 16-bit frames as they come, each channel in a queue of its own, and throws away at
// once what is not to be heard any more.
import { Resampler } from './low-pass.js';

/** What waits before sound begins: frames come unevenly. */
const CUSHION_SECONDS = 0.06;
/** Live sound that is this late is skipped, else it would stay late. */
const LONGEST_QUEUE_SECONDS = 30;
const FULL_SCALE = 32_768;

type Message =
  { do: 'begin'; rate: number; channels: number } | { do: 'clear' } | { do: 'play'; pcm: ArrayBuffer };

class Speaker extends AudioWorkletProcessor {
  #resamplers: Resampler[] = [];
  #queues: number[][] = [];
  #readAt = 0;
  #isPlaying = false;

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#receive(data));
    this.port.start();
  }

  override process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const output = outputs[0] ?? [];
    const waiting = (this.#queues[0]?.length ?? 0) - this.#readAt;
    if (!this.#isPlaying && waiting < CUSHION_SECONDS * sampleRate) return true;
    this.#isPlaying = waiting > 0;
    const length = output[0]?.length ?? 0;
    for (const [index, channel] of output.entries()) {
      const queue = this.#queues[index] ?? this.#queues[0] ?? [];
      for (let at = 0; at < channel.length; at++) channel[at] = queue[this.#readAt + at] ?? 0;
    }
    this.#readAt = Math.min(this.#readAt + length, this.#queues[0]?.length ?? 0);
    if (this.#readAt > sampleRate) this.#compact();
    return true;
  }

  #receive(message: Message): void {
    if (message.do === 'play') this.#play(new Int16Array(message.pcm));
    else if (message.do === 'clear') this.#clear();
    else {
      this.#resamplers = Array.from(
        { length: message.channels },
        () => new Resampler(message.rate, sampleRate),
      );
      this.#queues = this.#resamplers.map(() => []);
      this.#clear();
    }
  }

  #play(samples: Int16Array): void {
    const channels = this.#resamplers.length;
    if (channels === 0) return;
    const length = Math.floor(samples.length / channels);
    for (const [index, resampler] of this.#resamplers.entries()) {
      const block = new Float32Array(length);
      for (let at = 0; at < length; at++) block[at] = samples[at * channels + index]! / FULL_SCALE;
      resampler.push(block, (sample) => this.#queues[index]!.push(sample));
    }
    if (this.#queues[0]!.length - this.#readAt > LONGEST_QUEUE_SECONDS * sampleRate) this.#clear();
  }

  #clear(): void {
    for (const queue of this.#queues) queue.length = 0;
    this.#readAt = 0;
    this.#isPlaying = false;
  }

  #compact(): void {
    for (const queue of this.#queues) queue.splice(0, this.#readAt);
    this.#readAt = 0;
  }
}

registerProcessor('speaker', Speaker);
