// Bundles src/, the console and the packages they use to dist/, and does nothing when none of them changed since the
// last time. A start that opens two thousand files takes twice as long as one that opens fewer than three hundred. The
// result is built beside dist/ and moved into place, so a reader never meets half a build.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildConsole, listConsoleSources } from './build-console.mjs';
import { trimmedPackages, trimmedUndici } from './trimmed-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

const stamp = join(dist, '.fingerprint');

/** What the build is made of besides the sources. */
const MADE_OF = [
  'package-lock.json',
  'tools/build.mjs',
  'tools/build-console.mjs',
  'tools/trimmed-packages.mjs',
];

/** What is loaded by its name: processes, threads, and what tests and tools look into. */
const ENTRY_POINTS = [
  /^(main|cli|app\/app)\.ts$/,
  /^config\/(read-config|settings|carrier-settings|provider-settings)\.ts$/,
  /-thread\.ts$/,
  /^store\/(transaction|sqlite\/file-lock)\.ts$/,
  /^kernel\/(errors\/errors|log\/log)\.ts$/,
  /^providers\/builtin\/pocketsphinx\/grammar\/(value-)?phrases\.ts$/,
];

/** Every transaction in one file, made of all sources that declare some: what the threads of the store load. */
const TRANSACTION_BUNDLE = 'transaction-bundle';

/**
 * Packages that look for files of theirs beside themselves, that such a one loads as well, or that few load: they stay
 * where they are.
 */
export const UNBUNDLED =
  /^(@ai-sdk\/|@bjorn3\/|@echogarden\/|@fastify\/(static|swagger-ui)$|better-sqlite3|pg$|soundswallower|vader-sentiment|wink-|yaml$)/;

/** A bundle is an ES module; packages in it that are not ask for Node's own modules with `require`. */
const REQUIRE_FOR_PACKAGES =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** Whether dist/ was made of these very sources. */
export function isBuilt() {
  if (!existsSync(stamp)) return false;
  const sources = listSources();
  const times = timesOf(sources);
  const [builtOf, seenTimes] = readFileSync(stamp, 'utf8').split('\n');
  // What has not been written to since is not read again: reading takes three times as long.
  if (seenTimes === times) return true;
  if (builtOf !== fingerprintOf(sources)) return false;
  try {
    writeStamp(stamp, builtOf, times);
  } catch {
    // A folder that may not be written to is read again at each start.
  }
  return true;
}

/** Builds dist/ when it is missing or older than the sources. */
export async function buildDist() {
  if (isBuilt()) return;
  const sources = listSources();
  const times = timesOf(sources);
  const fingerprint = fingerprintOf(sources);

  const { build } = await import('esbuild');
  const fresh = `${dist}.${randomUUID()}`;
  const options = bundleOptions(fresh);
  await Promise.all([
    build({ ...options, plugins: [...options.plugins, trimmedUndici] }),
    buildConsole(join(fresh, 'console')),
  ]);
  writeStamp(join(fresh, '.fingerprint'), fingerprint, times);
  replaceDist(fresh);
}

/**
 * How the service is bundled to a folder.
 * @param {string} outdir
 * @returns {import('esbuild').BuildOptions}
 */
export function bundleOptions(outdir) {
  return {
    absWorkingDir: root,
    entryPoints: listEntryPoints().map((name) => ({
      in: name === TRANSACTION_BUNDLE ? name : join('src', name),
      out: name.replace(/\.ts$/, ''),
    })),
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    plugins: [unbundledPackages, transactionBundle, trimmedPackages],
    banner: { js: REQUIRE_FOR_PACKAGES },
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    sourcesContent: false,
    // Without indentation there is a quarter less to read; lines stay short enough for a stack trace to say where.
    minifyWhitespace: true,
    lineLimit: 120,
    logLevel: 'warning',
  };
}

/** Names of the bundle's entry points: sources under src/, and the bundle of all transactions. */
export function listEntryPoints() {
  return [TRANSACTION_BUNDLE, ...listSources().filter(isEntryPoint)];
}

function isEntryPoint(name) {
  return ENTRY_POINTS.some((pattern) => pattern.test(name));
}

function declaresTransactions(name) {
  return (
    name !== 'store/transaction.ts' &&
    /\bdefineTransactions\(/.test(readFileSync(join(root, 'src', name), 'utf8'))
  );
}

/**
 * Opening the fifty sources that declare transactions one by one takes a thread three times as long as opening one
 * file.
 */
const transactionBundle = {
  name: TRANSACTION_BUNDLE,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${TRANSACTION_BUNDLE}$`) }, () => ({
      path: TRANSACTION_BUNDLE,
      namespace: 'made',
    }));
    onLoad({ filter: /./, namespace: 'made' }, () => ({
      contents: listSources()
        .filter(declaresTransactions)
        .map((name) => `export * from './${name}';`)
        .join('\n'),
      resolveDir: join(root, 'src'),
    }));
  },
};

/**
 * For whoever bundles a program that uses our sources: what dist/ gives out under its name is taken from there, because
 * a thread that met a module of ours under two addresses would declare its transactions twice.
 * @type {import('esbuild').Plugin}
 */
export const sourcesAsBuilt = {
  name: 'sources as built',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(\.\.?\/|#)/ }, ({ path, resolveDir }) => {
      const file = path.startsWith('#') ? join(root, 'src', path.slice(1)) : resolve(resolveDir, path);
      const name = relative(join(root, 'src'), file).replace(/\.js$/, '.ts');
      if (name.startsWith('..') || path.startsWith('#test/')) return undefined;
      if (declaresTransactions(name)) return { path: builtUrlOf(TRANSACTION_BUNDLE), external: true };
      return isEntryPoint(name) ? { path: builtUrlOf(name), external: true } : undefined;
    }),
};

const builtUrlOf = (name) => pathToFileURL(join(dist, `${name.replace(/\.ts$/, '')}.js`)).href;

const unbundledPackages = {
  name: 'unbundled packages',
  setup: ({ onResolve }) => onResolve({ filter: UNBUNDLED }, ({ path }) => ({ path, external: true })),
};

function listSources() {
  return listFolder('').sort();
}

/** A recursive `readdirSync` asks for the kind of each entry once more. */
function listFolder(folder) {
  return readdirSync(join(root, 'src', folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFolder(name);
    return name.endsWith('.ts') ? [name] : [];
  });
}

/** The size of each file and when it was last written, in one short text. */
function timesOf(sources) {
  const hash = createHash('sha256');
  for (const path of [...MADE_OF, ...listConsoleSources(), ...sources.map((name) => `src/${name}`)]) {
    const { size, mtimeMs, ctimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs} ${ctimeMs}\n`);
  }
  return hash.digest('hex');
}

/** A reader that comes in between finds no stamp, or one without times. */
function writeStamp(path, fingerprint, times) {
  writeFileSync(path, `${fingerprint}\n${times}`);
}

function fingerprintOf(sources) {
  const hash = createHash('sha256');
  for (const path of [...MADE_OF, ...listConsoleSources()]) {
    hash.update(path).update(readFileSync(join(root, path)));
  }
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
