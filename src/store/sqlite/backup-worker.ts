import { workerData } from 'node:worker_threads';
import type { BackupTask } from './backup.js';
import { copyDatabase } from './copy-database.js';

const task = workerData as BackupTask;
copyDatabase(task.databasePath, task.backupPath);
