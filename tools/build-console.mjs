// Bundles the console (console/src) to a folder that any web server can give out: index.html, one style sheet, and a
// script per page that is loaded when the page is opened. Nothing in it is inline, so a content security policy without
// `unsafe-inline` holds.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the service gives the console out. */
const BASE = '/console/';

/** Scripts that the browser loads by their address: `import url from './microphone.ts?script'`. */
const SCRIPT_IMPORT = /\?script$/;

/** Paths of everything that the console is made of, relative to the root. */
export function listConsoleSources() {
  return readdirSync(join(root, 'console'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/**
 * Builds the console anew.
 * @param {string} outdir
 * @param {{ reloads?: boolean }} [options] with `reloads`, open pages load themselves again after the next build
 */
export async function buildConsole(outdir, { reloads = false } = {}) {
  const { build } = await import('esbuild');
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'console/src/main.tsx' },
    entryNames: '[name]-[hash]',
    chunkNames: 'parts/[name]-[hash]',
    assetNames: '[name]-[hash]',
    outdir,
    publicPath: BASE,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { RELOADS: String(reloads) },
    plugins: [scriptsByAddress],
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  writeFileSync(join(outdir, 'index.html'), fillPage(metafile.outputs));
  copyFileSync(join(root, 'console/icon.svg'), join(outdir, 'icon.svg'));
}

function fillPage(outputs) {
  const [path, main] = Object.entries(outputs).find(([, it]) => it.entryPoint === 'console/src/main.tsx');
  const preloads = staticImportsOf(path, outputs).map(
    (it) => `<link rel="modulepreload" href="${addressOf(it, path)}" />`,
  );
  return readFileSync(join(root, 'console/index.html'), 'utf8')
    .replace('%SCRIPT%', addressOf(path, path))
    .replace('%STYLE%', addressOf(main.cssBundle, path))
    .replace('%PRELOADS%', preloads.join('\n    '));
}

/** Everything that the browser must have before the first line runs: else it would ask for one after the other. */
function staticImportsOf(path, outputs, found = new Set()) {
  for (const { path: imported, kind } of outputs[path].imports) {
    if (kind !== 'import-statement' || found.has(imported)) continue;
    found.add(imported);
    staticImportsOf(imported, outputs, found);
  }
  return [...found];
}

function addressOf(path, mainPath) {
  return BASE + relative(join(mainPath, '..'), path).replaceAll('\\', '/');
}

/** @type {import('esbuild').Plugin} */
const scriptsByAddress = {
  name: 'scripts by address',
  setup({ onResolve, onLoad, esbuild }) {
    onResolve({ filter: SCRIPT_IMPORT }, ({ path, resolveDir }) => ({
      // The address ends as that of a script must.
      path: join(resolveDir, path.replace(/\.ts\?script$/, '.js')),
      namespace: 'script',
    }));
    onLoad({ filter: /./, namespace: 'script' }, async ({ path }) => {
      const source = path.replace(/\.js$/, '.ts');
      const { outputFiles } = await esbuild.build({
        entryPoints: [source],
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        write: false,
      });
      return { contents: outputFiles[0].contents, loader: 'file', watchFiles: [source] };
    });
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildConsole(join(root, 'dist', basename(BASE)));
}
