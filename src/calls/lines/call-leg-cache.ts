import { LRUCache } from 'lru-cache';
import type { CarrierReport } from '#telephony/port/carrier.js';

/** The size of the cache. For a report about an older leg, the call is read from the database. */
const MAX_LEGS = 20_000;

/** A call leg that this process has placed. */
export interface CachedCallLeg {
  carrier: string;
  callId: string;
  /** Resolves to true when the carrier's acceptance is stored, to false when that failed. */
  isWritten: Promise<boolean>;
}

/**
 * The call legs that this process has placed, by the dial references given to the carriers. `CallPlacer` adds them;
 * `CarrierReports` finds the call of a report here without a query. The call of a reference never changes.
 */
export class CallLegCache {
  readonly #legs = new LRUCache<string, CachedCallLeg>({ max: MAX_LEGS });

  /** Adds a leg that a carrier has accepted; `writing` stores the acceptance. */
  add(dialRef: string, call: { carrier: string; callId: string }, writing: Promise<unknown>): void {
    const isWritten = writing.then(
      () => true,
      () => false,
    );
    this.#legs.set(dialRef, { isWritten, ...call });
  }

  /**
   * The leg that a report names; null if this process did not place it. Also null if the report carries another call id
   * than the carrier's answer to the dial request (`placedAs`): the calling code must then replace the id in the row.
   */
  find({
    carrier,
    dialRef,
    placedAs,
  }: Pick<CarrierReport, 'carrier' | 'dialRef' | 'placedAs'>): CachedCallLeg | null {
    const leg = dialRef === null || placedAs !== undefined ? undefined : this.#legs.get(dialRef);
    return leg?.carrier === carrier ? leg : null;
  }
}
