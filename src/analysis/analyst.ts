import type { Log } from '#kernel/log/log.js';
import type { startThread } from '#kernel/system/thread.js';
import { ComputeThread } from '#kernel/system/compute-thread.js';
import type { AnalysisInput, Analyst } from './analysis.js';

/** Creates the built-in analyst: rules (`analyseCall`) on a thread of their own. The composition root starts one. */
export function createAnalyst(parts: { log: Log; start?: typeof startThread }): Analyst {
  const place = { name: 'analysis', path: 'analysis/analysis-thread.js' };
  const thread = new ComputeThread<AnalysisInput>(place, parts);
  return {
    name: 'builtin',
    analyse: (input) => thread.ask(input),
    close: () => thread.close(),
  };
}
