import { existsSync } from 'node:fs';

/**
 * The folder of the project, as a URL that ends in `/`: what the code reads besides itself (migrations, models, its
 * own threads) is named from here, wherever the build has put the code.
 */
export const installation: URL = folderOfPackage(new URL('.', import.meta.url));

function folderOfPackage(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  return folderOfPackage(new URL('..', folder));
}
