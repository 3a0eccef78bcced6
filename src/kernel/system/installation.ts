import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The URL of the project folder, ending in `/`: the base of migrations, models and threads, in every build. */
export const installation: URL = folderOfPackage(new URL('.', import.meta.url));

/** The path of this release's migrations. */
export const migrationsFolder: string = fileURLToPath(new URL('migrations/', installation));

/** The nearest folder with a `package.json`, from this one upwards. */
function folderOfPackage(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  return folderOfPackage(new URL('..', folder));
}
