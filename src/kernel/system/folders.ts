import { accessSync, constants, mkdirSync, statfsSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

// Creates and checks the folders of the service.

/** Mode of the service's folders: only the user of the process may enter. */
export const OWN_USER_ONLY = 0o700;

/**
 * Creates a folder and its parents where they are missing, readable by the user of the process alone. Node's
 * `recursive` option never returns where the system denies that an existing folder exists, as below `/proc` and on
 * some network mounts.
 * @throws Error of the operating system
 */
export function makeFolder(path: string): void {
  try {
    makeSingleFolder(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    makeFolder(parent);
    makeSingleFolder(path);
  }
}

/** Accepts a folder that exists: another process may create it at the same time. */
function makeSingleFolder(path: string): void {
  try {
    mkdirSync(path, { mode: OWN_USER_ONLY });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Checks that files can be created in a folder, or that a missing folder can be created. Changes nothing.
 * @returns whether the folder exists
 * @throws Error of the operating system
 */
export function requireWritableFolder(path: string): boolean {
  const found = nearestExisting(path);
  if (!found.isFolder)
    throw Object.assign(new Error(`${found.path}: not a directory`), { code: 'ENOTDIR', path: found.path });
  accessSync(found.path, constants.W_OK | constants.X_OK);
  return found.path === path;
}

/** The nearest existing ancestor of a path, or the path itself. */
function nearestExisting(path: string): { path: string; isFolder: boolean } {
  const found = statOrUndefined(path);
  if (found) return { path, isFolder: found.isDirectory() };
  return nearestExisting(dirname(path));
}

/** Undefined for a missing path. If a parent is a file, some releases of Node throw ENOTDIR, others do not. */
function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

const MEGABYTE = 2 ** 20;

/**
 * Checks the free space of the disk of an existing folder.
 * @throws Error that says how much is free
 */
export function requireFreeSpace(folder: string, leastBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= leastBytes) return;
  const [free, least] = [freeBytes, leastBytes].map((bytes) => Math.floor(bytes / MEGABYTE));
  throw new Error(`${folder}: its disk has ${free} MB free, and should have ${least} MB at least`);
}
