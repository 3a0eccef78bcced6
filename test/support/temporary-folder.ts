import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Inside node_modules, so that modules compiled there find the packages that they import. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/callwright-test/', import.meta.url));

let root: string | null = null;
let modules: string | null = null;

/** An empty folder, removed when the test file has ended. */
export function temporaryFolder(): string {
  root ??= mkdtempSync(join(tmpdir(), 'callwright-test-'));
  return mkdtempSync(join(root, 'folder-'));
}

/** The folder of this file's compiled modules, removed with {@link temporaryFolder}. */
export function moduleFolder(): string {
  mkdirSync(CACHE, { recursive: true });
  modules ??= mkdtempSync(join(CACHE, 'modules-'));
  return modules;
}

/** Removes the folders of the test file that has ended. */
export function removeTemporaryFolders(): void {
  for (const folder of [root, modules]) if (folder !== null) rmSync(folder, { recursive: true, force: true });
  root = null;
  modules = null;
}
