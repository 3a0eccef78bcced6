import { statfsSync } from 'node:fs';

const MEGABYTE = 2 ** 20;

/**
 * Looks whether the disk of a folder, which must be there, has room for what is to be written.
 * @throws Error that says how much is free
 */
export function requireFreeSpace(folder: string, leastBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= leastBytes) return;
  const [free, least] = [freeBytes, leastBytes].map((bytes) => Math.floor(bytes / MEGABYTE));
  throw new Error(`${folder}: its disk has ${free} MB free, and should have ${least} MB at least`);
}
