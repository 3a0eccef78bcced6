import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Realtime, RealtimeBrief, RealtimeEvent, RealtimeSession } from '#speech/realtime.js';
import { CancelledError, within } from '#conversation/talk/within.js';

/** Timeout for opening the session. */
const OPENING_TIMEOUT_MS = 10_000;
/** Most of the caller's sound that is buffered while the session opens. */
const LONGEST_BACKLOG_FRAMES = 10_000 / FRAME_MS;

/** The dependencies of a {@link SessionLink}. */
export interface SessionLinkParts {
  clock: Clock;
  realtime: Realtime;
  brief: RealtimeBrief;
  signal: AbortSignal;
  onEvent(event: RealtimeEvent): void;
}

/**
 * The link from one call to its speech-to-speech session. Sound and requests are buffered while the session opens. A
 * session that does not open in time is an `error` event. Used by `RealtimeConversation`.
 */
export class SessionLink {
  readonly #parts: SessionLinkParts;
  /** Sound and requests that wait for the session to open. */
  readonly #backlog: Int16Array[] = [];
  readonly #requests: ((session: RealtimeSession) => void)[] = [];
  #session: RealtimeSession | null = null;
  #isClosed = false;

  constructor(parts: SessionLinkParts) {
    this.#parts = parts;
    void this.#open();
  }

  /** Takes every frame of the caller, in order. */
  push(frame: Int16Array): void {
    if (this.#session) return this.#session.push(frame);
    if (this.#backlog.length < LONGEST_BACKLOG_FRAMES) this.#backlog.push(frame.slice());
  }

  /** Sends a request to the session as soon as it is open. */
  request(request: (session: RealtimeSession) => void): void {
    if (this.#isClosed) return;
    if (this.#session) request(this.#session);
    else this.#requests.push(request);
  }

  /** Closes the session; no event follows. */
  close(): void {
    this.#isClosed = true;
    this.#session?.close();
    this.#backlog.length = this.#requests.length = 0;
  }

  /** Opens the session, and gives it the buffered requests and sound. */
  async #open(): Promise<void> {
    const { clock, realtime, brief, signal, onEvent } = this.#parts;
    try {
      const opening = realtime.open(brief, (event) => void (this.#isClosed || onEvent(event)));
      // A session that opens after its timeout, or after the call is over, is closed.
      opening.then((session) => signal.aborted && session.close()).catch(() => {});
      const limit = { clock, limitMs: OPENING_TIMEOUT_MS, signal, name: 'the speech-to-speech session' };
      const session = await within(opening, limit);
      if (this.#isClosed) return session.close();
      this.#session = session;
      for (const request of this.#requests.splice(0)) request(session);
      for (const frame of this.#backlog.splice(0)) session.push(frame);
    } catch (error) {
      if (error instanceof CancelledError || this.#isClosed) return;
      onEvent({ kind: 'error', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
}
