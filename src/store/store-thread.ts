import { parentPort, workerData } from 'node:worker_threads';
import { serveDatabase } from '#store/threads/serve-database.js';
import { asPlainError, type ThreadStart } from '#store/threads/thread-protocol.js';

/*
 * Entry of a store thread. A failure at the start, or the loss of the database, is thrown: the thread ends, and the
 * main thread refuses all transactions from then on. (The error of a single transaction is sent to its caller instead.)
 */

const port = parentPort;
if (port === null) throw new Error('this module must run in a worker thread');
try {
  const { transactionModules } = workerData as ThreadStart;
  await serveDatabase(port, Promise.all(transactionModules.map((moduleUrl) => import(moduleUrl))));
} catch (error) {
  throw asPlainError(error);
}
