import { LRUCache } from 'lru-cache';

/** Enough that a dropped call is certainly over. */
const MOST_LINES = 10_000;

/**
 * Maps place requests to calls. Plivo answers a place request with the request's id and sends the call's id when it
 * begins. The map is bounded and local to the process; the call's id is also stored with the call.
 */
export class PlivoLines {
  readonly #callOf = new LRUCache<string, string>({ max: MOST_LINES });
  readonly #unwanted = new LRUCache<string, true>({ max: MOST_LINES });

  /** The call's id for an API request; the given id if no other is known. */
  callOf(id: string): string {
    return this.#callOf.get(id) ?? id;
  }

  /** Marks a request that is no longer wanted and could not be cancelled. */
  markUnwanted(requestId: string): void {
    this.#unwanted.set(requestId, true);
  }

  /** Records that a request has become a call. True if that is new and the call is not wanted any more. */
  learn(requestId: string, callId: string): boolean {
    if (this.#callOf.has(requestId)) return false;
    this.#callOf.set(requestId, callId);
    return this.#unwanted.has(requestId);
  }
}
