import { fileURLToPath } from 'node:url';
import { compiledModule } from './store.js';

/** The service without its voices, which takes a third less processor time to start. */
export const DYING_SERVICE = fileURLToPath(new URL('./dying-service.mjs', import.meta.url));

/**
 * The environment of a {@link DYING_SERVICE} that dies at a step, or goes on where there is none. Its database has no
 * threads of its own, which takes another third less. What is killed at random instants should have them.
 */
export async function dyingAt(step: string): Promise<Record<string, string>> {
  const threads = await compiledModule(new URL('./near-threads.ts', import.meta.url));
  return { FAILPOINT: step, NEAR_THREADS: threads.href };
}
