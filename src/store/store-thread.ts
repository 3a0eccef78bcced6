import { parentPort, workerData } from 'node:worker_threads';
import { serveDatabase } from '#store/threads/serve-database.js';
import { asPlainError, type ThreadStart } from '#store/threads/thread-protocol.js';

/*
 * The store's thread. It has one way to fail, at the start and later alike: it throws, the thread ends, and the other
 * side refuses everything.
 */

const port = parentPort;
if (port === null) throw new Error('this module is the start of a thread');
try {
  const { unitModules } = workerData as ThreadStart;
  await serveDatabase(port, Promise.all(unitModules.map((moduleUrl) => import(moduleUrl))));
} catch (error) {
  throw asPlainError(error);
}
