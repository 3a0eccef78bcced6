import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ids } from '#kernel/ids/ids.js';

const FILE_NAME = '.folder-id';

/**
 * The random id of a folder, which the first call stores in a file in the folder. By this id, processes on several
 * machines detect whether they share the folder of recordings. A folder that cannot be written gets another id at each
 * call, and so counts as shared with no process.
 */
export function folderIdOf(folder: string, ids: Ids): string {
  const path = join(folder, FILE_NAME);
  const newId = ids.next('folder');
  try {
    // The flag `wx` fails if another process has just created the file.
    writeFileSync(path, newId, { flag: 'wx', mode: 0o600 });
    return newId;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return newId;
  }
  const storedId = readFileSync(path, 'utf8');
  if (storedId !== '') return storedId;
  // After a power failure the file may exist without its content.
  writeFileSync(path, newId);
  return newId;
}
