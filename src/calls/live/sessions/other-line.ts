import type { Entry } from '#conversation/talk/conversation.js';
import type { LiveSession } from './live-session.js';

/** The line that the line of a call is joined with, if any. */
export class OtherLine {
  /** Number of the line that was joined to the call (E.164); null before a join. */
  joinedWith: string | null = null;
  #joined: { session: LiveSession; hear(samples: Int16Array): void; aheadMs: number } | null = null;

  get session(): LiveSession | null {
    return this.#joined?.session ?? null;
  }

  /**
   * Lets the other line hear this one. Returns the function that stops that. `hear` must copy its samples.
   * @param aheadMs by how many milliseconds the stream of the other line is longer
   */
  join(session: LiveSession, hear: (samples: Int16Array) => void, aheadMs: number): () => void {
    this.#joined = { session, hear, aheadMs };
    return () => (this.#joined = null);
  }

  hear(samples: Int16Array): void {
    this.#joined?.hear(samples);
  }

  /** Plays speech that only the person on the other line hears; false when no line is joined. */
  whisper(samples: Int16Array): boolean {
    this.session?.steering.whisper(samples);
    return this.session !== null;
  }

  /**
   * Adds what the customer of this line said to the transcript of the other line, as said by a person in its agent's
   * place.
   */
  quote({ speaker, startMs, endMs, ...said }: Entry): void {
    if (!this.#joined || speaker !== 'customer') return;
    const { session, aheadMs } = this.#joined;
    const [from, to] = [startMs + aheadMs, endMs + aheadMs];
    session.quote({ ...said, speaker: 'agent', by: 'person', startMs: from, endMs: to });
  }
}
