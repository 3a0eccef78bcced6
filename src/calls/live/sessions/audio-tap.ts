import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';

/** Hears a live call along; must copy what it keeps, and return at once. */
export interface CallListener {
  /** One frame (20 ms) of both sides; null where the customer's has not come in time. */
  onSound(customer: Int16Array | null, agent: Int16Array): void;
  /** The call is over. */
  onEnd(): void;
}

/** Stands before the recorder of a call, where there is one, and lets others hear the same sound. */
export class AudioTap implements TwoTrackRecorder {
  readonly #recorder: TwoTrackRecorder | null;
  readonly #listeners = new Set<CallListener>();

  constructor(recorder: TwoTrackRecorder | null) {
    this.#recorder = recorder;
  }

  /** Returns how to stop listening. */
  add(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(): void {
    for (const listener of this.#listeners) listener.onEnd();
    this.#listeners.clear();
  }

  write(customer: Int16Array | null, agent: Int16Array): void {
    this.#recorder?.write(customer, agent);
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener.onSound(customer, agent);
  }

  insertLate(fromSample: number, customer: Int16Array): void {
    this.#recorder?.insertLate(fromSample, customer);
  }

  stalled(forMs: number): void {
    this.#recorder?.stalled(forMs);
  }

  retract(lastMs: number): void {
    this.#recorder?.retract(lastMs);
  }
}
