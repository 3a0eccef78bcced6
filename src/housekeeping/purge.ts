/** Small enough that no transaction makes others wait. */
const SLICE = 500;

/**
 * Forgets a slice of what is too old at an instant (epoch milliseconds): no more than a transaction of a few
 * milliseconds can. Resolves with whether there may be more.
 */
export type Purge = (now: number) => Promise<boolean>;

/** A purge by a unit that forgets up to `limit` rows, and says how many those were. */
export function purgeBySlices(forget: (args: { now: number; limit: number }) => Promise<number>): Purge {
  return async (now) => (await forget({ now, limit: SLICE })) === SLICE;
}
