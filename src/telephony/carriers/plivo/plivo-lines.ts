import { LRUCache } from 'lru-cache';

/** How many calls are remembered: enough that a forgotten one is certainly over. */
const MOST_LINES = 10_000;

/**
 * Maps the ids of dial requests to the ids of their calls. Plivo answers a dial request with the request's id and sends
 * the call's id when the call begins. The map is bounded and local to the process; the call's id is also stored with
 * the call. Used by `PlivoApi`.
 */
export class PlivoLines {
  readonly #callOf = new LRUCache<string, string>({ max: MOST_LINES });
  readonly #unwanted = new LRUCache<string, true>({ max: MOST_LINES });

  /** The id of a call for the API; the given id if no other is known. */
  callOf(id: string): string {
    return this.#callOf.get(id) ?? id;
  }

  /** Notes that a request is no longer wanted, but could not be cancelled. */
  markUnwanted(requestId: string): void {
    this.#unwanted.set(requestId, true);
  }

  /** Notes that a request has become a call. True if that is new and the call is no longer wanted. */
  learn(requestId: string, callId: string): boolean {
    if (this.#callOf.has(requestId)) return false;
    this.#callOf.set(requestId, callId);
    return this.#unwanted.has(requestId);
  }
}
