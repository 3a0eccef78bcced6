// Compiles src/**/*.ts to dist/, file by file, and does nothing when no source changed since the last time.
// The result is built beside dist/ and moved into place, so a reader never meets half a build.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

const stamp = join(dist, '.fingerprint');

/** Whether dist/ was made of these very sources. */
export function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintOf(listSources());
}

/** Builds dist/ when it is missing or older than the sources. */
export async function buildDist() {
  if (isBuilt()) return;
  const sources = listSources();
  const fingerprint = fingerprintOf(sources);

  const { build } = await import('esbuild');
  const fresh = `${dist}.${randomUUID()}`;
  await build({
    absWorkingDir: root,
    entryPoints: sources.map((name) => join('src', name)),
    outbase: 'src',
    outdir: fresh,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  });
  writeFileSync(join(fresh, '.fingerprint'), fingerprint);
  replaceDist(fresh);
}

function listSources() {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
}

function fingerprintOf(sources) {
  const hash = createHash('sha256');
  for (const name of sources) hash.update(name).update(readFileSync(join(root, 'src', name)));
  return hash.digest('hex');
}

function replaceDist(fresh) {
  const old = `${dist}.${randomUUID()}`;
  if (existsSync(dist)) renameSync(dist, old);
  try {
    renameSync(fresh, dist);
  } catch (error) {
    // Another process put its own build there in between; it was made of the same sources.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    rmSync(fresh, { recursive: true, force: true });
  }
  rmSync(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDist();
