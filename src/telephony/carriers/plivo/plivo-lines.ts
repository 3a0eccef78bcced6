import { LRUCache } from 'lru-cache';

/** As many calls as are surely over when they are forgotten. */
const MOST_LINES = 10_000;

/**
 * Which request has become which call. Plivo answers a request for a call with the request's own id, and names the call
 * when it begins. This is what one process has heard of it, and bounded: what lasts is kept with the call, by the id
 * that its reports have.
 */
export class PlivoLines {
  readonly #callOf = new LRUCache<string, string>({ max: MOST_LINES });
  readonly #unwanted = new LRUCache<string, true>({ max: MOST_LINES });

  /** The id to ask for a call by; the same where nothing else is known. */
  callOf(id: string): string {
    return this.#callOf.get(id) ?? id;
  }

  /** The request is not wanted any more, and could not be called off. */
  markUnwanted(requestId: string): void {
    this.#unwanted.set(requestId, true);
  }

  /** A request has become a call. True when that was not known, and it is one that is not wanted any more. */
  learn(requestId: string, callId: string): boolean {
    if (this.#callOf.has(requestId)) return false;
    this.#callOf.set(requestId, callId);
    return this.#unwanted.has(requestId);
  }
}
