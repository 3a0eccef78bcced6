import { randomInt } from 'node:crypto';

/** The seed of a file's random choices, another one in each run. `SEED` repeats a run; {@link tellSeed} prints it. */
export const SEED = Number(process.env['SEED'] ?? randomInt(2 ** 31));

/** Prints the seed, with what it was used for, so that a failed run can be repeated. */
export function tellSeed(what: string): void {
  process.stdout.write(`${what}: SEED=${SEED}\n`);
}

/** Pseudo-random numbers from 0 to 1, reproducible for a seed, so that a failed run can be repeated. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
