// Parts of packages that the service never runs stay out of dist/: compiling what is loaded takes a third of a start.
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** undici without its fetch, its caches, its mocks and its proxies: what `src/outbound-http/` imports from it. */
const UNDICI = `
export const Agent = require('undici/lib/dispatcher/agent');
export const buildConnector = require('undici/lib/core/connect');
export const errors = require('undici/lib/core/errors');`;

/** Messages of zod are English, or the service's own. */
const ZOD_LOCALES = `export { default as en } from './en.js';`;

/** What stands for a package's own file, by the end of the file's path. */
const SMALLER = [{ file: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/, contents: ZOD_LOCALES }];

/** Packages of which each importer gets the same file, whether it imports or requires it. */
const ONCE = /^luxon$/;

/** @type {import('esbuild').Plugin} */
export const trimmedPackages = {
  name: 'trimmed packages',
  setup({ onResolve, onLoad, resolve }) {
    for (const { file, contents } of SMALLER) onLoad({ filter: file }, () => ({ contents }));
    onResolve({ filter: ONCE }, ({ path, kind, pluginData }) =>
      kind === 'require-call' && pluginData !== trimmedPackages
        ? resolve(path, { kind: 'import-statement', resolveDir: root, pluginData: trimmedPackages })
        : undefined,
    );
  },
};

/**
 * Like {@link trimmedPackages}, for bundles that hold the sources together with their packages: an import that is not
 * there is an error of the build.
 * @type {import('esbuild').Plugin}
 */
export const trimmedUndici = {
  name: 'trimmed undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'trimmed' }));
    onLoad({ filter: /./, namespace: 'trimmed' }, () => ({ contents: UNDICI, resolveDir: root }));
  },
};
