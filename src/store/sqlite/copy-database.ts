import Database from 'better-sqlite3';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describeSystemError } from '#kernel/errors/system-error.js';
import { makePrivateFile, openForReading } from './connection.js';

/**
 * Writes a compact, checked copy of a SQLite database to `backupPath`, on the backup thread. The file appears there
 * only when it is complete and on the disk. The database may be in use: `vacuum into` reads one snapshot.
 */
export function copyDatabase(databasePath: string, backupPath: string): void {
  if (existsSync(backupPath))
    throw new Error(`${backupPath} exists already: a backup never overwrites a file`);
  assertFolderTakesFiles(dirname(backupPath));
  const unfinishedPath = `${backupPath}.unfinished`;
  rmSync(unfinishedPath, { force: true });
  try {
    const database = openForReading(databasePath);
    try {
      // `vacuum into` accepts an empty file and keeps its mode.
      makePrivateFile(unfinishedPath);
      database.prepare('vacuum into ?').run(unfinishedPath);
    } finally {
      database.close();
    }
    assertIntact(unfinishedPath, 'quick_check');
    syncToDisk(unfinishedPath);
    renameSync(unfinishedPath, backupPath);
    syncToDisk(dirname(backupPath));
  } catch (error) {
    rmSync(unfinishedPath, { force: true });
    throw new Error(`${databasePath} cannot be copied: ${(error as Error).message}`, { cause: error });
  }
}

/** Throws unless files can be created in the folder: SQLite's own error would lack the cause. */
function assertFolderTakesFiles(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(describeSystemError(error), { cause: error });
  }
}

/**
 * Throws unless SQLite finds the file intact; checks copies, and backups before they are restored. `integrity_check`
 * also compares every index with its table.
 */
export function assertIntact(path: string, check: 'quick_check' | 'integrity_check'): void {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const verdict = database.pragma(check, { simple: true });
    if (verdict !== 'ok') throw new Error(`${path} is damaged: ${String(verdict)}`);
  } finally {
    database.close();
  }
}

/** Flushes a file, or the entries of a folder, to the disk. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
