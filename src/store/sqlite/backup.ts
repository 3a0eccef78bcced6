import { once } from 'node:events';
import { startThread } from '#kernel/system/thread.js';

/** `workerData` of the backup thread. */
export interface BackupTask {
  databasePath: string;
  backupPath: string;
}

/**
 * Copies a database in use to a new file, on its own thread: reads and writes go on during the copy. For `Store.backup`
 * and the `backup` command.
 * @throws Error as `copyDatabase`
 */
export async function backupDatabase(databasePath: string, backupPath: string): Promise<void> {
  const task: BackupTask = { databasePath, backupPath };
  const worker = startThread('store/sqlite/backup-thread.js', {
    workerData: task,
    name: 'store-backup',
  });
  // Rejects if the thread throws: `once` listens to its `error` event, too.
  await once(worker, 'exit');
}
