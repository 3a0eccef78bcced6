import type { Unit } from './unit.js';

/**
 * The database as the rooms see it: named units of work, run whole or not at all. Rejections are either a `Problem`
 * that the unit threw, `Problem('unavailable')` when the store is full or overloaded, or an internal error.
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
