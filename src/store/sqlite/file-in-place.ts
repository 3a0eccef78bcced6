import { statSync } from 'node:fs';

/**
 * Remembers which file a database was opened in. SQLite goes on writing to one that was removed, replaced or hidden by
 * a mount, and what it commits there is lost with the process.
 * @returns throws when that file is no longer to be found under its name
 */
export function watchPlace(path: string): () => void {
  const opened = inodeOf(path);
  return () => {
    if (inodeOf(path) !== opened) throw new Error(`${path} was removed or replaced while it was open`);
  };
}

/** Undefined where there is no such file. The number is what SQLite itself tells files apart by. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
