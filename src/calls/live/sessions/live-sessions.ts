import type { EndedReason } from '#calls/record/ended-reason.js';
import type { LiveSession } from './live-session.js';

/** The calls whose audio runs through this process, by call id. */
export class LiveSessions {
  readonly #live = new Map<string, LiveSession>();
  /** Why no session may go on any more; null while they may. */
  #closing: EndedReason | null = null;

  get count(): number {
    return this.#live.size;
  }

  add(session: LiveSession): void {
    this.#live.set(session.callId, session);
    void session.finished.then(() => this.#live.delete(session.callId));
    if (this.#closing) session.end(this.#closing);
  }

  get(callId: string): LiveSession | undefined {
    return this.#live.get(callId);
  }

  /** Begins the end of a live call; false when its audio is not here. */
  end(callId: string, reason: EndedReason, options: { byCarrier?: boolean } = {}): boolean {
    const session = this.#live.get(callId);
    session?.end(reason, options);
    return session !== undefined;
  }

  /** Lets go of a session that does not end by itself. */
  abandon(callId: string): void {
    this.#live.get(callId)?.abandon();
    this.#live.delete(callId);
  }

  /** Ends every call, those that begin later too, and waits for their ends to be written. */
  async endAll(reason: EndedReason): Promise<void> {
    this.#closing = reason;
    for (const session of this.#live.values()) session.end(reason);
    while (this.#live.size > 0)
      await Promise.all([...this.#live.values()].map((session) => session.finished));
  }
}
