import type { EndedReason } from './ended-reason.js';
import type { LiveSession } from './live-session.js';

/** The calls whose audio runs through this process, by call id. */
export class LiveSessions {
  readonly #live = new Map<string, LiveSession>();

  get count(): number {
    return this.#live.size;
  }

  add(session: LiveSession): void {
    this.#live.set(session.callId, session);
    void session.finished.then(() => this.drop(session.callId));
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

  /** Forgets a session that does not end by itself. */
  drop(callId: string): void {
    this.#live.delete(callId);
  }

  /** Ends every call and waits for their ends to be written. */
  async endAll(reason: EndedReason): Promise<void> {
    const sessions = [...this.#live.values()];
    for (const session of sessions) session.end(reason);
    await Promise.all(sessions.map((session) => session.finished));
  }

  /** Resolves when no call is live any more. */
  async idle(): Promise<void> {
    while (this.#live.size > 0)
      await Promise.all([...this.#live.values()].map((session) => session.finished));
  }
}
