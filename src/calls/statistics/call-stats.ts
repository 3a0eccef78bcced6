import type { Principal } from '#access/keys/principal.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Store } from '#store/store.js';
import { toStatsResource, type StatsCounts, type StatsResource } from './stats-resource.js';
import { statsTransactions } from './stats-store.js';
import { slicesOf, type StatsWindow } from './stats-window.js';

/**
 * Counts the calls of a workspace over a window of time, for the route `GET /api/stats`. A window is cut into slices,
 * which the field `series` shows one by one.
 */
export class CallStats {
  readonly #parts: { store: Store; clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * The statistics of a window that ends now. Reads slice by slice, one query each, so that other requests do not wait
   * until all calls are counted.
   */
  async read({ workspace }: Principal, window: StatsWindow): Promise<StatsResource> {
    const { store, clock } = this.#parts;
    const counted: StatsCounts['slices'][number][] = [];
    for (const slice of slicesOf(window, clock.wallMs()))
      counted.push({ slice, counts: await store.read(statsTransactions.slice, { workspace, ...slice }) });
    const live = await store.read(statsTransactions.live, { workspace });
    const { from } = counted[0]!.slice;
    const responses = await store.read(statsTransactions.responses, { workspace, from });
    return toStatsResource({ window, slices: counted, live, responses });
  }
}
