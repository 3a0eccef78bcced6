import type { LiveEvent } from './live-call.js';

export type LiveListener = (callId: string, event: LiveEvent) => void;

/** What happens in the live calls of this process, for whoever wants to watch. Nothing is kept. */
export class LiveFeed {
  readonly #listeners = new Set<LiveListener>();

  /** Returns how to stop listening. Listeners must return at once and not throw. */
  subscribe(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(callId: string, event: LiveEvent): void {
    for (const listener of this.#listeners) listener(callId, event);
  }
}
