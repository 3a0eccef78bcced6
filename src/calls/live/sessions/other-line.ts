import type { LiveSession } from './live-session.js';

/** The line that the line of a call is joined with, while it is. */
export class OtherLine {
  /** With whom the caller was joined (E.164); null for nobody. */
  joinedWith: string | null = null;
  #joined: { session: LiveSession; hear(samples: Int16Array): void } | null = null;

  get session(): LiveSession | null {
    return this.#joined?.session ?? null;
  }

  /** From now on the other line hears this one, too; returns how to stop that. `hear` copies what it is given. */
  join(session: LiveSession, hear: (samples: Int16Array) => void): () => void {
    this.#joined = { session, hear };
    return () => (this.#joined = null);
  }

  hear(samples: Int16Array): void {
    this.#joined?.hear(samples);
  }
}
