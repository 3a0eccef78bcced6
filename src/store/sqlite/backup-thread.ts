import { workerData } from 'node:worker_threads';
import { runInBackground } from '#kernel/system/thread.js';
import { asPlainError } from '#store/threads/thread-protocol.js';
import type { BackupTask } from './backup.js';
import { copyDatabase } from './copy-database.js';

// Entry of the thread that copies a database; see `backup.ts`.
runInBackground();
const task = workerData as BackupTask;
try {
  copyDatabase(task.databasePath, task.backupPath);
} catch (error) {
  throw asPlainError(error);
}
