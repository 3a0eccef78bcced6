import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The mode of a folder of ours. */
export const OWN_USER_ONLY = 0o700;

/**
 * Makes a folder, and those above it, where they are not there yet. What we keep is of people's calls: nobody but our
 * own user may look into a folder that is made here. Node's own `recursive` never ends where the system says of a
 * folder that is there that it is not, as below `/proc` and on some network mounts.
 * @throws Error of the system that says what stands in the way
 */
export function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    makeFolder(parent);
    makeOne(path);
  }
}

/** Another process may make it at the same time. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: OWN_USER_ONLY });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
