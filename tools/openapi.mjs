// Writes openapi.json (or, with --print, to standard output), the document that the service gives out at /openapi.json,
// made without listening anywhere; and the types of it that the console uses.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { buildDist } from './build.mjs';
import { describeTypes, TYPES_FILE } from './console-types.mjs';

/** Where the document is kept. */
export const OPENAPI_FILE = fileURLToPath(new URL('../openapi.json', import.meta.url));

/** The document of the present sources, as text. */
async function describeApi() {
  await buildDist();
  const { buildApp } = await import('../dist/app/app.js');
  const { readConfig } = await import('../dist/config/read-config.js');
  const folder = await mkdtemp(join(tmpdir(), 'callwright-openapi-'));
  try {
    const app = await buildApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'CRITICAL', PORT: '0' }));
    await app.server.ready();
    const text = JSON.stringify(app.server.openApi());
    await app.close();
    return await format(text, { ...(await resolveConfig(OPENAPI_FILE)), parser: 'json' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await describeApi();
  if (process.argv.includes('--print')) process.stdout.write(text);
  else {
    await writeFile(OPENAPI_FILE, text);
    await writeFile(TYPES_FILE, describeTypes(JSON.parse(text)));
  }
}
