// The build of `npm run dev`: what it does again on each change is our own sources only. The packages that they import
// are bundled once, into files of their own, as long as no further one is imported.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, context } from 'esbuild';
import { bundleOptions, listEntryPoints, UNBUNDLED } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string} outdir
 * @returns {{ rebuild(): Promise<boolean>, removeLeftovers(): void }} `rebuild` is false when the sources have errors,
 * which the compiler has printed
 */
export function createDevBundle(outdir) {
  const packages = createPackageBundle(outdir);
  let bundle = null;
  let bundledEntryPoints = '';
  let outputs = new Set();

  async function rebuildSources() {
    // A context keeps its entry points: a new thread's module needs a new one.
    const entryPoints = listEntryPoints().join();
    if (entryPoints !== bundledEntryPoints) {
      await bundle?.dispose();
      const options = bundleOptions(outdir);
      bundle = await context({ ...options, plugins: [...options.plugins, packages.plugin], metafile: true });
      bundledEntryPoints = entryPoints;
    }
    const { metafile } = await bundle.rebuild();
    outputs = new Set(Object.keys(metafile.outputs).map((path) => join(root, path)));
  }

  return {
    async rebuild() {
      try {
        await rebuildSources();
        await packages.bundleMissing();
        return true;
      } catch (error) {
        if (Array.isArray(error.errors) && error.errors.length > 0) return false;
        throw error;
      }
    },
    /** Each build leaves parts under names of their own; those of builds before are of no use. */
    removeLeftovers() {
      for (const entry of readdirSync(outdir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath ?? entry.path, entry.name);
        if (entry.isFile() && !outputs.has(path) && !path.startsWith(packages.folder)) rmSync(path);
      }
    },
  };
}

function createPackageBundle(outdir) {
  const folder = join(outdir, 'packages');
  const imported = new Set();
  let bundledCount = 0;
  const fileOf = (name) => `${name.replaceAll('/', '+')}.js`;

  /** @type {import('esbuild').Plugin} */
  const plugin = {
    name: 'bundled packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || isBuiltin(path) || UNBUNDLED.test(path)) return undefined;
        imported.add(path);
        return { path: pathToFileURL(join(folder, fileOf(path))).href, external: true };
      });
    },
  };

  async function bundleMissing() {
    if (imported.size === bundledCount) return;
    const entries = join(outdir, 'packages-entries');
    if (existsSync(folder)) rmSync(folder, { recursive: true });
    mkdirSync(entries, { recursive: true });
    for (const name of imported) {
      // What Node itself finds in a package, ES module or not, is what the sources may import from it.
      const exported = Object.keys(await import(name)).filter((key) => key !== 'module.exports');
      writeFileSync(join(entries, fileOf(name)), `export { ${exported.join(', ')} } from '${name}';\n`);
    }
    const entryPoints = [...imported].map((name) => join(entries, fileOf(name)));
    await build({ ...bundleOptions(folder), entryPoints, sourcemap: false });
    bundledCount = imported.size;
  }

  return { folder, plugin, bundleMissing };
}
