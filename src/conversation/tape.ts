import { MENDABLE_TICKS } from './sample-clock.js';

/** Takes exactly one frame of each side per tick, in order. */
export interface TwoTrackRecorder {
  write(customer: Int16Array, agent: Int16Array): void;
}

/**
 * What stands between the ticks and the recording: it holds back the last 400 ms, so that sound that comes late can
 * still be put in its place. A hole that is never mended is silence.
 */
export class Tape {
  readonly #recorder: TwoTrackRecorder;
  readonly #customer: readonly Int16Array[];
  readonly #agent: readonly Int16Array[];
  #ticks = 0;

  constructor(recorder: TwoTrackRecorder, frameSamples: number) {
    const frames = () => Array.from({ length: MENDABLE_TICKS + 1 }, () => new Int16Array(frameSamples));
    this.#recorder = recorder;
    this.#customer = frames();
    this.#agent = frames();
  }

  /** The next tick; both frames are copied. */
  write(customer: Int16Array | null, agent: Int16Array): void {
    const slot = this.#ticks % this.#agent.length;
    if (this.#ticks >= this.#agent.length) this.#flush(slot);
    if (customer) this.#customer[slot]!.set(customer);
    else this.#customer[slot]!.fill(0);
    this.#agent[slot]!.set(agent);
    this.#ticks += 1;
  }

  mend(tick: number, customer: Int16Array): void {
    this.#customer[tick % this.#agent.length]!.set(customer);
  }

  /** Writes what was held back. Nothing may follow. */
  close(): void {
    const oldest = Math.max(0, this.#ticks - this.#agent.length);
    for (let tick = oldest; tick < this.#ticks; tick += 1) this.#flush(tick % this.#agent.length);
  }

  #flush(slot: number): void {
    this.#recorder.write(this.#customer[slot]!, this.#agent[slot]!);
  }
}
