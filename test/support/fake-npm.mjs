// Replaces npm in tests of the set-up: records its arguments, lists as installed what npm would install, and installs
// a bundler that makes an empty program.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const BUNDLER = `const { mkdirSync, writeFileSync } = require('node:fs');
exports.build = async ({ outdir, entryPoints }) => {
  mkdirSync(outdir, { recursive: true });
  writeFileSync(outdir + '/main.js', '');
  const entryPoint = Object.values(entryPoints)[0];
  return { metafile: { outputs: { 'main.js': { entryPoint, cssBundle: 'main.css', imports: [] } } } };
};`;

const args = process.argv.slice(2);
appendFileSync(
  'npm-calls',
  `${args.filter((arg) => !/^--(no-audit|no-fund|prefer|loglevel)/.test(arg)).join(' ')}\n`,
);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const isWanted = ([, entry]) => !(args.includes('--omit=dev') && entry.dev);
mkdirSync('node_modules/esbuild', { recursive: true });
writeFileSync('node_modules/esbuild/index.js', BUNDLER);
writeFileSync(
  'node_modules/.package-lock.json',
  JSON.stringify({ packages: Object.fromEntries(Object.entries(packages).filter(isWanted)) }),
);
