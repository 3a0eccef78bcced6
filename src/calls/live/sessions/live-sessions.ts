import type { EndedReason } from '#calls/record/ended-reason.js';
import type { LiveSession } from './live-session.js';

/**
 * The sessions of the calls whose audio is in this process, by call id. `AudioStreams` adds them; everything that ends
 * or steers live calls finds them here.
 */
export class LiveSessions {
  readonly #live = new Map<string, LiveSession>();
  /** Why all sessions must end, also new ones; null while sessions may go on. */
  #closing: EndedReason | null = null;

  /** How many calls have their audio here. */
  get count(): number {
    return this.#live.size;
  }

  /** Adds a session, which removes itself when its end is written. */
  add(session: LiveSession): void {
    this.#live.set(session.callId, session);
    void session.finished.then(() => this.#live.delete(session.callId));
    if (this.#closing) session.end(this.#closing);
  }

  get(callId: string): LiveSession | undefined {
    return this.#live.get(callId);
  }

  /** Begins the end of a live call; false when its audio is not in this process. */
  end(callId: string, reason: EndedReason, options: { byCarrier?: boolean } = {}): boolean {
    const session = this.#live.get(callId);
    session?.end(reason, options);
    return session !== undefined;
  }

  /** Gives up a session that does not end by itself: closes its socket and removes it. Used by the watchdog. */
  abandon(callId: string): void {
    this.#live.get(callId)?.abandon();
    this.#live.delete(callId);
  }

  /** Ends all calls, also those that begin later, and waits until their ends are written. */
  async endAll(reason: EndedReason): Promise<void> {
    this.#closing = reason;
    for (const session of this.#live.values()) session.end(reason);
    while (this.#live.size > 0)
      await Promise.all([...this.#live.values()].map((session) => session.finished));
  }
}
