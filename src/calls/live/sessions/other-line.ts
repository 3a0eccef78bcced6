import type { Entry } from '#conversation/talk/conversation.js';
import type { LiveSession } from './live-session.js';

/**
 * The other call that a live call is joined with in a warm transfer, if any. Passes the audio and the transcript of
 * this call to the session of the other call. Each `LiveSession` has one; `relay` joins two of them.
 */
export class OtherLine {
  /** The number (E.164) of the person who was joined to the call. Null before a join; it stays after the join ends. */
  joinedWith: string | null = null;
  #joined: { session: LiveSession; hear(samples: Int16Array): void; aheadMs: number } | null = null;

  /** The session of the other call; null while no line is joined. */
  get session(): LiveSession | null {
    return this.#joined?.session ?? null;
  }

  /**
   * Joins the lines: from now on the audio of this call is passed to `hear` of the other call, which must copy it.
   * Returns the function that ends the join on this side.
   * @param aheadMs how many milliseconds earlier the stream of the other call began
   */
  join(session: LiveSession, hear: (samples: Int16Array) => void, aheadMs: number): () => void {
    this.#joined = { session, hear, aheadMs };
    return () => (this.#joined = null);
  }

  /** Passes audio of this call on; does nothing when no line is joined. */
  hear(samples: Int16Array): void {
    this.#joined?.hear(samples);
  }

  /** Plays speech that only the person on the other line hears; false when no line is joined. */
  whisper(samples: Int16Array): boolean {
    this.session?.steering.whisper(samples);
    return this.session !== null;
  }

  /**
   * Adds words of this call's customer to the transcript of the other call, where that person speaks in the agent's
   * place.
   */
  quote({ speaker, startMs, endMs, ...spoken }: Entry): void {
    if (!this.#joined || speaker !== 'customer') return;
    const { session, aheadMs } = this.#joined;
    const [from, to] = [startMs + aheadMs, endMs + aheadMs];
    session.quote({ ...spoken, speaker: 'agent', by: 'person', startMs: from, endMs: to });
  }
}
