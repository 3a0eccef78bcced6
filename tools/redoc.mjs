// `node tools/redoc.mjs`: takes Redoc's finished browser file and its licences out of the npm package into
// assets/redoc/. The package is not a dependency: it would install a hundred others that the finished file contains
// already. `--check` compares the files in place with their checksums and needs no network.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'redoc@2.5.4';

/** Files inside the package, with their SHA-256. A new version needs new checksums: read what it brings first. */
const FILES = {
  LICENSE: 'd3026d549cf68ab7355bcfa85877bf8f845b3334a7efbfdc63936432fb34ff0e',
  'bundles/redoc.standalone.js': 'dcaf76612bc4a3fbcc923a8966dee2f6146a5f32e5ce1b6f02dd60cbbf89500b',
  'bundles/redoc.standalone.js.LICENSE.txt':
    'eed602ec32e00b2b9df1984fbcc26a687b1b3193ec01961389c4b8439e6edf73',
};

const assets = fileURLToPath(new URL('../assets/redoc/', import.meta.url));

if (process.argv.includes('--check')) checkAssets();
else fetchAssets();

function checkAssets() {
  for (const path of Object.keys(FILES)) verify(path, readFileSync(join(assets, basename(path))));
}

function fetchAssets() {
  const folder = mkdtempSync(join(tmpdir(), 'redoc-'));
  try {
    run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', folder]);
    run('tar', ['-xzf', join(folder, `${PACKAGE.replace('@', '-')}.tgz`), '-C', folder]);
    mkdirSync(assets, { recursive: true });
    for (const path of Object.keys(FILES)) {
      const content = readFileSync(join(folder, 'package', path));
      verify(path, content);
      writeFileSync(join(assets, basename(path)), content);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} path @param {Buffer} content */
function verify(path, content) {
  const found = createHash('sha256').update(content).digest('hex');
  if (found !== FILES[path])
    throw new Error(`${path} of ${PACKAGE} has SHA-256 ${found}, not ${FILES[path]}`);
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} failed`);
}
