import type { CallRow } from '#calls/record/call.js';
import type { LiveEvent } from './live-call.js';

/** What listeners may have to know of the call of an event. */
export type LiveCallFacts = Pick<CallRow, 'id' | 'workspace' | 'batch_id' | 'enable_transcription'>;

export type LiveListener = (callId: string, event: LiveEvent, call: LiveCallFacts) => void;

/** What happens in the live calls of this process, for whoever wants to watch. Nothing is kept. */
export class LiveFeed {
  readonly #listeners = new Set<LiveListener>();

  /** Returns how to stop listening. Listeners must return at once and not throw. */
  subscribe(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(call: LiveCallFacts, event: LiveEvent): void {
    for (const listener of this.#listeners) listener(call.id, event, call);
  }
}
