import os from 'node:os';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { installation } from './installation.js';

// Starts worker threads, lowers their priority, and prepares bytes for the transfer to them.

/**
 * The folder of compiled files: that of this module (`dist/`, or another one under `npm run dev`); `dist/` if this
 * module runs from its source, as in tests.
 */
const builtFolder = new URL(
  /^dist[^/]*\//.exec(pathInInstallation(import.meta.url))?.[0] ?? 'dist/',
  installation,
);

/**
 * The compiled file of a module. Threads run compiled code only, also in tests, whose set-up builds it first.
 * @param path inside `src/`, with the ending of the compiled file: `store/store-thread.js`
 */
export function builtModule(path: string): URL {
  return new URL(path, builtFolder);
}

/** Starts a thread. @param path as for {@link builtModule} */
export function startThread(path: string, options: WorkerOptions): Worker {
  return new Worker(builtModule(path), options);
}

/** The part of a file URL after the installation folder, such as `dist/kernel/system/thread.js`. */
function pathInInstallation(url: string): string {
  return url.slice(installation.href.length);
}

/** Niceness on Linux: 0 is normal, 19 is the lowest priority. At 10 a thread still gets a tenth of a busy core. */
const BACKGROUND_NICENESS = 10;

/**
 * Lowers the priority of the calling thread, so that the thread that paces audio runs first: a late transcript is
 * tolerable, a late frame is audible. Linux only: elsewhere the priority is that of the whole process.
 */
export function runInBackground(): void {
  if (os.platform() !== 'linux') return;
  // A service that was started with a higher niceness keeps it: raising the priority is not permitted.
  if (os.getPriority() < BACKGROUND_NICENESS) os.setPriority(BACKGROUND_NICENESS);
}

/**
 * The bytes in a buffer of their own, which can be transferred to a thread. A view of a larger buffer is copied,
 * because a transfer would take the whole buffer away from its other users; other bytes keep their buffer.
 */
export function transferableBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
