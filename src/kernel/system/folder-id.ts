import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ids } from '#kernel/ids/ids.js';

const FILE_NAME = '.folder-id';

/**
 * The random name of a folder, which it keeps in a file of its own: processes on several machines find out by it
 * whether they share the folder. It is made when the folder is first asked for. A folder that cannot be written has
 * another one each time, and nothing to share.
 */
export function folderIdOf(folder: string, ids: Ids): string {
  const path = join(folder, FILE_NAME);
  const made = ids.next('folder');
  try {
    // Of two processes the second finds the name that the first has made.
    writeFileSync(path, made, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return made;
  }
  const kept = readFileSync(path, 'utf8');
  if (kept !== '') return kept;
  // A machine that lost power may have kept the file without its content.
  writeFileSync(path, made);
  return made;
}
