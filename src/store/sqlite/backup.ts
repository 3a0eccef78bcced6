import { once } from 'node:events';
import { startThread } from '#kernel/system/thread.js';

/** What the thread that copies is told. */
export interface BackupTask {
  databasePath: string;
  backupPath: string;
}

/**
 * Copies a database that is in use into a new file, on a thread of its own: for the seconds that a large copy takes,
 * reads and writes go on.
 */
export async function backupDatabase(databasePath: string, backupPath: string): Promise<void> {
  const task: BackupTask = { databasePath, backupPath };
  const worker = startThread('store/sqlite/backup-thread.js', {
    workerData: task,
    name: 'store-backup',
  });
  // An error of the thread rejects this.
  await once(worker, 'exit');
}
