import { LRUCache } from 'lru-cache';

/** How many calls are remembered: enough that a forgotten one is certainly over. */
const MAX_CALLS = 10_000;

/**
 * Maps the ids of dial requests to the ids of their calls. Plivo answers a dial request with the request's id and sends
 * the call's id when the call begins. The map is bounded and local to the process; the call's id is also stored with
 * the call. Used by `PlivoApi`.
 */
export class PlivoCallIds {
  /** The id of the call, by the id of its request. */
  readonly #callIds = new LRUCache<string, string>({ max: MAX_CALLS });
  /** Requests whose call is to be ended as soon as its id is known. */
  readonly #unwanted = new LRUCache<string, true>({ max: MAX_CALLS });

  /** The id of a call for the API; the given id if no other is known. */
  callIdOf(id: string): string {
    return this.#callIds.get(id) ?? id;
  }

  /** Notes that a request is no longer wanted, but could not be cancelled. */
  markUnwanted(requestId: string): void {
    this.#unwanted.set(requestId, true);
  }

  /** Notes that a request has become a call. True if that is new and the call is no longer wanted. */
  record(requestId: string, callId: string): boolean {
    if (this.#callIds.has(requestId)) return false;
    this.#callIds.set(requestId, callId);
    return this.#unwanted.has(requestId);
  }
}
