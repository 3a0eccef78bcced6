import type { CallRow } from '#calls/record/call.js';
import type { LiveEvent } from './live-call.js';

/** The facts about the call of an event that listeners need. */
export type LiveCallFacts = Pick<CallRow, 'id' | 'workspace' | 'batch_id' | 'enable_transcription'>;

/** A subscriber: receives every event with the facts about its call. */
export type LiveListener = (callId: string, event: LiveEvent, call: LiveCallFacts) => void;

/**
 * Publishes the events of the live calls of this process to its subscribers, such as the console's event stream.
 * `LiveSession` publishes. Nothing is stored.
 */
export class LiveFeed {
  readonly #listeners = new Set<LiveListener>();

  /** Adds a listener, which must return at once and must not throw. Returns the function that removes it. */
  subscribe(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(call: LiveCallFacts, event: LiveEvent): void {
    for (const listener of this.#listeners) listener(call.id, event, call);
  }
}
