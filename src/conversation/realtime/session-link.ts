import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Realtime, RealtimeBrief, RealtimeEvent, RealtimeSession } from '#speech/realtime.js';
import { DroppedError, within } from '#conversation/talk/within.js';

const OPENING_TIMEOUT_MS = 10_000;
/** Most of the caller's sound that is buffered while the session opens. */
const LONGEST_BACKLOG_FRAMES = 10_000 / FRAME_MS;

export interface SessionLinkParts {
  clock: Clock;
  realtime: Realtime;
  brief: RealtimeBrief;
  signal: AbortSignal;
  onEvent(event: RealtimeEvent): void;
}

/** The link to the session of one call: audio and requests are buffered while the session opens. */
export class SessionLink {
  readonly #parts: SessionLinkParts;
  readonly #backlog: Int16Array[] = [];
  readonly #orders: ((session: RealtimeSession) => void)[] = [];
  #session: RealtimeSession | null = null;
  #isClosed = false;

  constructor(parts: SessionLinkParts) {
    this.#parts = parts;
    void this.#open();
  }

  push(frame: Int16Array): void {
    if (this.#session) return this.#session.push(frame);
    if (this.#backlog.length < LONGEST_BACKLOG_FRAMES) this.#backlog.push(frame.slice());
  }

  /** Sends a request to the session as soon as it is open. */
  ask(order: (session: RealtimeSession) => void): void {
    if (this.#isClosed) return;
    if (this.#session) order(this.#session);
    else this.#orders.push(order);
  }

  close(): void {
    this.#isClosed = true;
    this.#session?.close();
    this.#backlog.length = this.#orders.length = 0;
  }

  async #open(): Promise<void> {
    const { clock, realtime, brief, signal, onEvent } = this.#parts;
    try {
      const opening = realtime.open(brief, (event) => void (this.#isClosed || onEvent(event)));
      // A session that opens after its timeout, or after the call is over, is closed.
      opening.then((session) => signal.aborted && session.close()).catch(() => {});
      const limit = { clock, limitMs: OPENING_TIMEOUT_MS, signal, what: 'the speech-to-speech session' };
      const session = await within(opening, limit);
      if (this.#isClosed) return session.close();
      this.#session = session;
      for (const order of this.#orders.splice(0)) order(session);
      for (const frame of this.#backlog.splice(0)) session.push(frame);
    } catch (error) {
      if (error instanceof DroppedError || this.#isClosed) return;
      onEvent({ kind: 'error', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
}
