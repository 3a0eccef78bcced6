import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';
import type { ClockTrust } from '#kernel/work/clock-watch.js';
import type { Counters } from '#metrics/counters.js';
import type { Store } from './store.js';

/**
 * The dependencies that the composition root gives every module that keeps rows. Parts of a module pick those that they
 * need: `Pick<ModuleContext, 'store' | 'clock'>`.
 */
export interface ModuleContext {
  store: Store;
  clock: Clock;
  /** Says whether the wall clock can be trusted now, or has jumped. */
  clockTrust: ClockTrust;
  ids: Ids;
  log: Log;
  counters: Counters;
}
