import type { Entry } from '#conversation/talk/conversation.js';
import type { LiveSession } from './live-session.js';

/** The line that the line of a call is joined with, while it is. */
export class OtherLine {
  /** Number of the line that was joined to the call (E.164); null before a join. */
  joinedWith: string | null = null;
  #joined: { session: LiveSession; hear(samples: Int16Array): void; aheadMs: number } | null = null;

  get session(): LiveSession | null {
    return this.#joined?.session ?? null;
  }

  /**
   * From now on the other line hears this one, too; returns how to stop that. `hear` copies what it is given.
   * @param aheadMs by how much the stream of the other line is longer
   */
  join(session: LiveSession, hear: (samples: Int16Array) => void, aheadMs: number): () => void {
    this.#joined = { session, hear, aheadMs };
    return () => (this.#joined = null);
  }

  hear(samples: Int16Array): void {
    this.#joined?.hear(samples);
  }

  /** Speech that the person on the other line alone hears; false where there is none. */
  whisper(samples: Int16Array): boolean {
    this.session?.steering.whisper(samples);
    return this.session !== null;
  }

  /** What was said on this line stands in the transcript of the other one, too: as said in its agent's place. */
  quote({ speaker, startMs, endMs, ...said }: Entry): void {
    if (!this.#joined || speaker !== 'customer') return;
    const { session, aheadMs } = this.#joined;
    const [from, to] = [startMs + aheadMs, endMs + aheadMs];
    session.quote({ ...said, speaker: 'agent', by: 'person', startMs: from, endMs: to });
  }
}
