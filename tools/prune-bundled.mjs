// Leaves in node_modules what the built service loads from there, for an image that never builds again: the packages
// that dist/ does not hold, and what those need.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UNBUNDLED } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const needed = new Set();
keep('', (name) => UNBUNDLED.test(name));
for (const path of Object.keys(packages)) if (path !== '' && !holdsNeeded(path)) remove(path);

/** Keeps the dependencies of the package at a path, as far as they are wanted, and all that those depend on. */
function keep(from, isWanted = () => true) {
  const { dependencies, optionalDependencies, peerDependencies } = packages[from];
  const all = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  for (const name of Object.keys(all).filter(isWanted)) {
    const path = pathOf(name, from);
    if (path === null || needed.has(path)) continue;
    needed.add(path);
    keep(path);
  }
}

/** Where Node finds a package that another one asks for: beside it, or beside those around it. */
function pathOf(name, from) {
  const path = join(from, 'node_modules', name);
  if (packages[path]) return path;
  return from === '' ? null : pathOf(name, dirname(from).replace(/(?:^|\/)node_modules(?:\/@[^/]+)?$/, ''));
}

function holdsNeeded(path) {
  return [...needed].some((one) => one === path || one.startsWith(`${path}/`));
}

function remove(path) {
  if (existsSync(join(root, path))) rmSync(join(root, path), { recursive: true });
}
