import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';

/** A listener to the audio of a live call. It must copy samples that it keeps, and return at once. */
export interface CallListener {
  /** One frame (20 ms) of both sides; `customer` is null if its frame did not arrive in time. */
  onSound(customer: Int16Array | null, agent: Int16Array): void;
  /** The call is over. */
  onEnd(): void;
}

/**
 * Passes the audio of a live call to its recorder, if there is one, and to listeners such as the console's socket. The
 * conversation writes to it as its recorder; `LiveSession` adds the listeners. Corrections of what was written (late,
 * missing or retracted audio) reach only the recorder: listeners have heard the audio already.
 */
export class AudioTap implements TwoTrackRecorder {
  readonly #recorder: TwoTrackRecorder | null;
  readonly #listeners = new Set<CallListener>();

  constructor(recorder: TwoTrackRecorder | null) {
    this.#recorder = recorder;
  }

  /** Adds a listener; returns the function that removes it. */
  add(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all listeners; the recorder is closed by the session. */
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
