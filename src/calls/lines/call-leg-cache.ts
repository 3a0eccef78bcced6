import { LRUCache } from 'lru-cache';
import type { CarrierReport } from '#telephony/port/carrier.js';

/** The size of the cache. The calls of older legs are read from the database. */
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
  placed(dialRef: string, call: { carrier: string; callId: string }, writing: Promise<unknown>): void {
    const isWritten = writing.then(
      () => true,
      () => false,
    );
    this.#legs.set(dialRef, { isWritten, ...call });
  }

  /**
   * The leg that a report names; null if this process did not place it. Also null for a report with another id than the
   * carrier's answer had (`placedAs`): the caller must then replace the id that the row holds.
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
