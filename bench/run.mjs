// Runs a benchmark of the built house: `node bench/run.mjs media [options]`. Node cannot read TypeScript itself, so the
// files of the benchmark are bundled first; what they import from src/ is taken from dist/, as in production.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildDist } from '../tools/build.mjs';

const [name, ...options] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const outdir = join(here, '..', 'node_modules', '.cache', 'bench');

const builtHouse = {
  name: 'built house',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/src\// }, ({ path }) => ({
      path: new URL(path.replace('/src/', '/dist/'), import.meta.url).href,
      external: true,
    })),
};

await buildDist();
await build({
  entryPoints: readdirSync(here)
    .filter((file) => file === `${name}.ts` || (file.startsWith(`${name}-`) && file.endsWith('.ts')))
    .map((file) => join(here, file)),
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  plugins: [builtHouse],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});
// Options for Node itself, such as --cpu-prof, are handed on to the processes that are measured.
spawn(process.execPath, [join(outdir, `${name}.mjs`), ...options], { stdio: 'inherit' }).on(
  'exit',
  (code) => {
    process.exitCode = code ?? 1;
  },
);
