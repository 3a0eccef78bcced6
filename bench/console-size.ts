import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { installation } from '#kernel/system/installation.js';

const FOLDER = new URL('dist/console/', installation);
const KILOBYTE = 1024;

/** What a browser loads to show the first page, and what the page of a call adds. */
export function loadSizes(): { firstKb: number; callKb: number } {
  const page = readFileSync(new URL('index.html', FOLDER), 'utf8');
  const first = [...page.matchAll(/(?:src|href)="\/console\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
  const parts = readdirSync(new URL('parts/', FOLDER));
  const call = withImports(
    parts.find((name) => name.startsWith('call-page-'))!,
    new Set(),
  );
  const known = new Set(first.flatMap((path) => (path.endsWith('.js') ? [...importsOf(path)] : [])));
  const added = [...call].filter((name) => !known.has(name));
  return {
    firstKb: sum(first.map((path) => packedKb(path))),
    callKb: sum(added.map((name) => packedKb(`parts/${name}`))),
  };
}

/** A part, and what it imports in turn. */
function withImports(name: string, seen: Set<string>): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const imported of importsOf(`parts/${name}`)) withImports(imported, seen);
  return seen;
}

/** Parts that are loaded with a script; those that it may load later are not among them. */
function importsOf(path: string): Set<string> {
  const script = readFileSync(new URL(path, FOLDER), 'utf8');
  const imports = script.matchAll(/(?:from|import)\s*"\.?\.?\/(?:parts\/)?([\w-]+\.js)"/g);
  return new Set([...imports].map(([, name]) => name!).filter((name) => !name.startsWith('main-')));
}

function packedKb(path: string): number {
  return gzipSync(readFileSync(new URL(path, FOLDER))).length / KILOBYTE;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
