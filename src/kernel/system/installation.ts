import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the project, as a URL that ends in `/`: what the code reads besides itself (migrations, models, its
 * own threads) is named from here, wherever the build has put the code.
 */
export const installation: URL = folderOfPackage(new URL('.', import.meta.url));

/** The folder of this release's migrations. */
export const migrationsFolder: string = fileURLToPath(new URL('migrations/', installation));

function folderOfPackage(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  return folderOfPackage(new URL('..', folder));
}
