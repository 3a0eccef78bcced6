import { readFileSync } from 'node:fs';

const packageFile = new URL('../package.json', import.meta.url);

/** The release of this service, as package.json says. */
export const VERSION = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
