import type { Unit } from './unit.js';

/**
 * The database as the rooms see it: named units of work, run whole or not at all. Rejections are either a `Problem`
 * that the unit threw, `Problem('unavailable')` when the store is full, overloaded or lost, or an internal error.
 *
 * Writes that wait for one another run in that order. Writes asked for side by side have no order on PostgreSQL, where
 * several run at once.
 */
export interface Store {
  /** Runs a unit that may change rows. When this resolves, the change survives a crash and a power cut. */
  write<Args, Result>(unit: Unit<Args, Result>, args: Args): Promise<Result>;
  /** Runs a unit that only reads; it sees every write that resolved before it was asked. */
  read<Args, Result>(unit: Unit<Args, Result>, args: Args): Promise<Result>;
  /** Writes a complete copy of the database to a new file while the service goes on. SQLite only. */
  backup(path: string): Promise<void>;
  /** Finishes what was asked and lets go of the database. Closing twice is harmless. */
  close(): Promise<void>;
}
