import { LRUCache } from 'lru-cache';
import type { CarrierReport } from '#telephony/port/carrier.js';

/** Reports of older ones look their call up. */
const REMEMBERED_LINES = 20_000;

/** A call that this process had placed. */
export interface CachedCallLeg {
  carrier: string;
  callId: string;
  /** Resolves when the database was told that the carrier has it: with false when that failed. */
  isWritten: Promise<boolean>;
}

/**
 * The calls that this process has placed, by the references that their carriers were given. Which call a reference
 * stands for never changes: what is reported of it finds its call here, and the database need not be asked.
 */
export class CallLegCache {
  readonly #lines = new LRUCache<string, CachedCallLeg>({ max: REMEMBERED_LINES });

  /** A carrier has taken a call; `writing` writes it down. */
  placed(dialRef: string, call: { carrier: string; callId: string }, writing: Promise<unknown>): void {
    const isWritten = writing.then(
      () => true,
      () => false,
    );
    this.#lines.set(dialRef, { isWritten, ...call });
  }

  /** The line that a report is about, unless it is not of this process, or goes by another id than it was placed as. */
  find({
    carrier,
    dialRef,
    placedAs,
  }: Pick<CarrierReport, 'carrier' | 'dialRef' | 'placedAs'>): CachedCallLeg | null {
    const line = dialRef === null || placedAs !== undefined ? undefined : this.#lines.get(dialRef);
    return line?.carrier === carrier ? line : null;
  }
}
