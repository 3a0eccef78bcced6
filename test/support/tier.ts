import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `fast`: `npm test`. `slow`: `npm run test:slow`, which tries every case. */
    tier: 'fast' | 'slow';
  }
}

/** True if every case is tried. Files that import this run in both tiers: `vitest.config.ts` looks for its name. */
export const triesAll = inject('tier') === 'slow';

/** The number of cases of a property: `some` in the fast tier, `all` in the slow one. */
export function cases(some: number, all: number): number {
  return triesAll ? all : some;
}

/** The rows of a table to try: the first few in the fast tier, all of them in the slow one. */
export function rows<Row>(some: number, all: readonly Row[]): readonly Row[] {
  return triesAll ? all : all.slice(0, some);
}
