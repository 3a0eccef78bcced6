import { readFileSync } from 'node:fs';
import { installation } from '#kernel/system/installation.js';

const packageFile = new URL('package.json', installation);

/** The release of this service, from package.json, for the command `version` and the banner: `1.2.3`. */
export const VERSION = (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
