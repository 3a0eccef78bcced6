import type { Moments } from '../calls/moments.js';
import type { Clock } from '../kernel/clock.js';
import type { Failpoint } from '../kernel/failpoint.js';
import type { Ids } from '../kernel/ids.js';
import type { Work } from '../kernel/loop.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import type { Store } from '../store/store.js';
import { batchLoadUnits } from './batch-load-store.js';
import { EVENT_IDS_PER_CHANGE, type BatchMoment } from './batch-progress.js';
import { feedUnits, type Pick, type Sight } from './feed-store.js';

/** How long nobody else looks at a claimed batch; a batch that cannot be fed is tried again so much later. */
const LEASE_MS = 30_000;

export interface FeederParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  moments: Moments;
  /** What the calling policy goes by. */
  rules: PolicyRules;
  nudgeDialler(dueAt: number): void;
  failpoint?: Failpoint | undefined;
}

/**
 * Hands the numbers of running batches to the dialler, some of each batch in turn: as many as the batch may have under way
 * at once, in its calling window. It also clears up what batches that were given up leave behind.
 */
export class Feeder implements Work<string> {
  readonly name = 'batch feeder';
  readonly concurrency = 4;
  readonly #parts: FeederParts;

  constructor(parts: FeederParts) {
    this.#parts = parts;
  }

  async claim(limit: number): Promise<string[]> {
    const { store, clock, failpoint } = this.#parts;
    const now = clock.wallMs();
    const batchIds = await store.write(feedUnits.claim, { now, leaseUntil: now + LEASE_MS, limit });
    if (batchIds.length > 0) failpoint?.('batch.claimed');
    return batchIds;
  }

  nextDueAt(): Promise<number | null> {
    return this.#parts.store.read(feedUnits.nextFeedAt, {});
  }

  async perform(batchId: string): Promise<void> {
    const { store, clock, rules, nudgeDialler, failpoint } = this.#parts;
    const now = clock.wallMs();
    const { todo, turns } = await store.read(feedUnits.look, { batchId, now });
    if (todo === 'clear') await store.write(batchLoadUnits.clear, { batchId, now });
    if (todo === 'sweep') await this.#sweep(batchId, now);
    if (todo !== 'feed') return;
    const picks = turns.map((turn) => this.#pick(turn));
    const released = await store.write(feedUnits.release, {
      batchId,
      picks,
      rules,
      moment: this.#moment(now),
    });
    if (released === 0) return;
    failpoint?.(turns.every((turn) => turn.isFirstTry) ? 'batch.released' : 'batch.retried');
    nudgeDialler(now);
  }

  async #sweep(batchId: string, now: number): Promise<void> {
    const { store, moments, failpoint } = this.#parts;
    const unannounced = moments.unannounced();
    await store.write(feedUnits.sweep, { batchId, moment: this.#moment(now), unannounced });
    failpoint?.('batch.swept');
  }

  #pick({ position, callId, isFirstTry }: Sight['turns'][number]): Pick {
    const { ids, moments } = this.#parts;
    const dialled = isFirstTry ? callId : ids.next('call');
    return { position, callId: dialled, dialId: ids.next('dial'), moment: moments.now(callId) };
  }

  #moment(at: number): BatchMoment {
    return batchMoment(this.#parts.ids, at);
  }
}

/** What a change of a batch needs from outside its transaction. */
export function batchMoment(ids: Ids, at: number): BatchMoment {
  return { at, eventIds: Array.from({ length: EVENT_IDS_PER_CHANGE }, () => ids.next('evt')) };
}
