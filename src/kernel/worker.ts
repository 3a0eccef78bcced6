import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * The built JavaScript file of a module of ours. Threads run compiled code only; under the test runner, which loads
 * `src/*.ts`, the twin in `dist/` is taken (the test set-up builds it first).
 */
export function builtModuleUrl(moduleUrl: string | URL): URL {
  return new URL(String(moduleUrl).replace(/\/src\/(.*)\.ts$/, '/dist/$1.js'));
}

/**
 * Starts a thread on a module that lies beside the caller.
 * @param callerUrl `import.meta.url` of the caller
 * @param relativePath such as `./store-worker.js`
 */
export function startThread(callerUrl: string, relativePath: string, options: WorkerOptions): Worker {
  return new Worker(new URL(relativePath, builtModuleUrl(callerUrl)), options);
}
