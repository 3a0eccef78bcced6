import type { Log } from '#kernel/log/log.js';
import type { startThread } from '#kernel/system/thread.js';
import { ComputeThread } from '#kernel/system/compute-thread.js';
import type { AnalysisInput, Analyst } from './analysis.js';

/**
 * Creates the built-in analyst, which runs the rules of `analyseCall` on a thread of its own. Used by the composition
 * root; the thread starts with the first call.
 * @param parts.start starts the thread; tests replace it
 */
export function createAnalyst(parts: { log: Log; start?: typeof startThread }): Analyst {
  const place = { name: 'analysis', path: 'analysis/analysis-thread.js' };
  const thread = new ComputeThread<AnalysisInput>(place, parts);
  return {
    name: 'builtin',
    analyse: (input) => thread.ask(input),
    close: () => thread.close(),
  };
}
