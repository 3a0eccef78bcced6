// Runs a benchmark: `node bench/run.mjs media [options]`. Bundles it first, because Node cannot read TypeScript itself.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [name, ...options] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const outfile = join(here, '..', 'node_modules', '.cache', 'bench', `${name}.mjs`);
await build({
  entryPoints: [join(here, `${name}.ts`)],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
});
spawn(process.execPath, [outfile, ...options], { stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
