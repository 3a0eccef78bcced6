import { inject } from 'vitest';
import { randomOf, SEED, tellSeed } from './seed.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** `fast`: `npm test`. `slow`: `npm run test:slow`. `soak`: `npm run soak`, which tries every case. */
    tier: 'fast' | 'slow' | 'soak';
  }
}

const tier = inject('tier');

/**
 * True in the slow tier and in a soak run. Files that import this run in both tiers: `vitest.config.ts` looks for its
 * name.
 */
export const triesAll = tier !== 'fast';

/** The number of cases of a property: `some` in the fast tier, `more` in the slow one, `all` in a soak run. */
export function cases(some: number, more: number, all = more): number {
  return { fast: some, slow: more, soak: all }[tier];
}

/** The number of rounds of what only the slow tier repeats: `few` of them, and `many` in a soak run. */
export function rounds(few: number, many: number): number {
  return tier === 'soak' ? many : few;
}

/** The rows of a table to try: the first few in the fast tier, all of them in the slow one. */
export function rows<Row>(some: number, all: readonly Row[]): readonly Row[] {
  return triesAll ? all : all.slice(0, some);
}

/**
 * The rows to try of a table whose every row takes long: the first one in the fast tier, a random choice of `count` in
 * the slow one, all of them in a soak run. The choice differs from run to run, and is printed with the seed that
 * repeats it.
 */
export function drawn<Row>(count: number, all: readonly Row[]): readonly Row[] {
  if (tier === 'fast') return all.slice(0, 1);
  if (tier === 'soak') return all;
  const random = randomOf(SEED);
  const lots = all.map((_, at) => ({ at, lot: random() })).toSorted((a, b) => a.lot - b.lot);
  const chosen = lots.slice(0, count).map(({ at }) => at);
  tellSeed(`rows ${chosen.join(', ')} of ${all.length}`);
  return all.filter((_, at) => chosen.includes(at));
}
