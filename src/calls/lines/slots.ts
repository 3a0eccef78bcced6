import type { CallRow } from '#calls/record/call.js';

type Direction = CallRow['direction'];

/**
 * The conversation slots of this process, which limit its concurrent calls. No call is dialled without a slot, so that
 * no callee answers to silence. A call holds its slot until its end: an outbound call from right before dialling, an
 * inbound call from its acceptance. Some slots are reserved for inbound calls, so that callers are answered while a
 * batch runs.
 */
export class Slots {
  readonly #capacity: number;
  readonly #reservedForInbound: number;
  readonly #held = new Map<string, Direction>();
  #outbound = 0;
  #onFree: () => void = () => {};
  #onIdle: (() => void)[] = [];

  /**
   * @param size.reservedForInbound how many slots of `capacity` outbound calls never take; one is always left to them
   */
  constructor(size: { capacity: number; reservedForInbound: number }) {
    this.#capacity = size.capacity;
    this.#reservedForInbound = Math.min(size.reservedForInbound, size.capacity - 1);
  }

  /** How many calls of a direction may still begin. */
  free(direction: Direction): number {
    const free = this.#capacity - this.#held.size;
    if (direction === 'inbound') return Math.max(0, free);
    return Math.max(0, Math.min(free, this.#capacity - this.#reservedForInbound - this.#outbound));
  }

  /** The ids of the calls that hold a slot. */
  get held(): Iterable<string> {
    return this.#held.keys();
  }

  /**
   * Takes a slot for a call; a repeat has no effect. The capacity is not checked: ask {@link free} before. A call that
   * is answered already, such as one found after a restart, may exceed it.
   */
  take(callId: string, direction: Direction): void {
    if (this.#held.has(callId)) return;
    this.#held.set(callId, direction);
    if (direction === 'outbound') this.#outbound += 1;
  }

  /** Frees the slot of a call, if it has one. */
  release(callId: string): void {
    const direction = this.#held.get(callId);
    if (direction === undefined) return;
    this.#held.delete(callId);
    if (direction === 'outbound') this.#outbound -= 1;
    this.#onFree();
    if (this.#held.size > 0) return;
    for (const wake of this.#onIdle.splice(0)) wake();
  }

  /** Resolves when no call holds a slot any more. */
  idle(): Promise<void> {
    return new Promise((resolve) => (this.#held.size === 0 ? resolve() : this.#onIdle.push(resolve)));
  }

  /** Sets the listener that is called when a slot becomes free. */
  onFree(listener: () => void): void {
    this.#onFree = listener;
  }
}
