import { Worker, type WorkerOptions } from 'node:worker_threads';
import { installation } from './installation.js';

/** The folder of the build that this module belongs to (`npm run dev` has one of its own), `dist/` beside sources. */
const builtFolder = new URL(
  /^dist[^/]*\//.exec(pathInInstallation(import.meta.url))?.[0] ?? 'dist/',
  installation,
);

/**
 * The built JavaScript file of a module of ours: threads run compiled code only, also when the test runner has loaded
 * the sources (its set-up builds them first).
 * @param path inside `src/`, with the ending of the built file: `store/store-thread.js`
 */
export function builtModule(path: string): URL {
  return new URL(path, builtFolder);
}

/** Starts a thread on a module of ours, named as in {@link builtModule}. */
export function startThread(path: string, options: WorkerOptions): Worker {
  return new Worker(builtModule(path), options);
}

function pathInInstallation(url: string): string {
  return url.slice(installation.href.length);
}
