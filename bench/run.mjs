// Runs a benchmark of the built service: `node bench/run.mjs media [options]`. Node cannot read TypeScript itself, so
// the files of the benchmark are bundled first; the service, its threads and its store are those of dist/.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildDist, sourcesAsBuilt } from '../tools/build.mjs';

const [name, ...options] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const outdir = join(here, '..', 'node_modules', '.cache', 'bench');

await buildDist();
await build({
  entryPoints: readdirSync(here)
    .filter((file) => file === `${name}.ts` || (file.startsWith(`${name}-`) && file.endsWith('.ts')))
    .map((file) => join(here, file)),
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  plugins: [sourcesAsBuilt],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});
// Options for Node itself, such as --cpu-prof, are handed on to the processes that are measured.
spawn(process.execPath, [...process.execArgv, join(outdir, `${name}.mjs`), ...options], {
  stdio: 'inherit',
}).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
