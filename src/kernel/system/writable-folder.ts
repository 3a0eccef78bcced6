import { accessSync, constants, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Looks whether files can be made in a folder, which need not be there yet: then it must be possible to make it.
 * Changes nothing.
 * @returns whether it is there
 * @throws Error of the system that says what stands in the way
 */
export function requireWritableFolder(path: string): boolean {
  const found = nearest(path);
  if (!found.isFolder)
    throw Object.assign(new Error(`${found.path}: not a directory`), { code: 'ENOTDIR', path: found.path });
  accessSync(found.path, constants.W_OK | constants.X_OK);
  return found.path === path;
}

/** What is there of the way to a folder. */
function nearest(path: string): { path: string; isFolder: boolean } {
  const found = lookAt(path);
  if (found) return { path, isFolder: found.isDirectory() };
  return nearest(dirname(path));
}

/** Some releases of Node throw where a file stands in the way, others find nothing. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
