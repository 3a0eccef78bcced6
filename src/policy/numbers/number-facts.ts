import { LRUCache } from 'lru-cache';
import { plannedNumber, type Planned } from './numbering-plan.js';
import { SHARED_CODES, ZONES_BY_PREFIX } from './number-zones.js';

// The country, kind and time zones of a phone number, from numbering plans: for the policy (is it calling time, is a
// number of this kind refused?) and for the time zone of a call.

/** Kinds of numbers: the types of libphonenumber, and `satellite`, `short_code` and `unknown`. */
export const NUMBER_KINDS = [
  'fixed_line',
  'mobile',
  'fixed_line_or_mobile',
  'toll_free',
  'shared_cost',
  'premium_rate',
  'voip',
  'personal_number',
  'pager',
  // A universal access number: one number of a company for all its places.
  'uan',
  'voicemail',
  'satellite',
  'short_code',
  'unknown',
] as const;
export type NumberKind = (typeof NUMBER_KINDS)[number];

/** Properties of a number. */
export interface NumberFacts {
  /** ISO 3166, two letters; null where the plan does not say, as for numbers reserved for documentation. */
  country: string | null;
  kind: NumberKind;
  /** Every IANA zone in which the number may ring; empty for numbers without a place. */
  zones: readonly string[];
  /** The zones of its prefix. Fewer than `zones` if a number may be taken elsewhere, as most mobiles may. */
  likelyZones: readonly string[];
}

/** Inmarsat (870), other satellite systems (881), and international networks (882, 883), which are priced alike. */
const SATELLITE_CODES = new Set(['870', '881', '882', '883']);
/** The calling code of international premium-rate numbers. */
const INTERNATIONAL_PREMIUM_CODE = '979';
/** Kinds of numbers whose prefix gives their place. `unknown` is treated as one of them. */
const GEOGRAPHIC_KINDS: ReadonlySet<NumberKind> = new Set(['fixed_line', 'fixed_line_or_mobile', 'unknown']);
/** Calling codes of countries whose mobile numbers have an area code: Mexico, Argentina, Brazil, Indonesia, China. */
const GEOGRAPHIC_MOBILE_CODES = new Set(['52', '54', '55', '62', '86']);
/** The cache: most numbers are needed twice or more often, when a call is accepted and when it is dialled. */
const factsCache = new LRUCache<string, NumberFacts>({ max: 20_000 });

/**
 * The properties of a number. This is not a validation: a number that no plan knows has the kind `unknown`, which is
 * never refused for its kind.
 * @param number E.164
 */
export function factsOf(number: string): NumberFacts {
  const cached = factsCache.get(number);
  if (cached) return cached;
  const planned = plannedNumber(number);
  const country = planned?.country ?? null;
  const kind = kindOf(planned);
  const prefixZones = zonesOfPrefix(number, country);
  const zones = isGeographic(kind, planned) ? prefixZones : (zonesOfCode(planned, country) ?? prefixZones);
  const likelyZones = zones === prefixZones ? zones : prefixZones.filter((zone) => zones.includes(zone));
  const facts = { country, kind, zones, likelyZones };
  factsCache.set(number, facts);
  return facts;
}

/** True if the prefix gives the place of a number. Others, such as most mobiles, may be anywhere in their country. */
function isGeographic(kind: NumberKind, planned: Planned | null): boolean {
  if (GEOGRAPHIC_KINDS.has(kind)) return true;
  return kind === 'mobile' && GEOGRAPHIC_MOBILE_CODES.has(planned?.countryCallingCode ?? '');
}

/** The kind of a number; short codes and special calling codes have no type in the library's plans. */
function kindOf(planned: Planned | null): NumberKind {
  if (!planned) return 'unknown';
  if (SATELLITE_CODES.has(planned.countryCallingCode)) return 'satellite';
  if (planned.countryCallingCode === INTERNATIONAL_PREMIUM_CODE) return 'premium_rate';
  if (planned.isTooShort) return 'short_code';
  const type = planned.type?.toLowerCase();
  return NUMBER_KINDS.find((kind) => kind === type) ?? 'unknown';
}

const zonesByPrefix = readPrefixes(ZONES_BY_PREFIX);
const longestPrefix = Math.max(...[...zonesByPrefix.keys()].map((prefix) => prefix.length));
/** Calling codes that several countries share, such as 1 or 44. */
const sharedCodes = readSharedCodes(SHARED_CODES);

/** The zones of the longest known prefix. */
function zonesOfPrefix(number: string, country: string | null): readonly string[] {
  for (let length = longestPrefix; length > 0; length -= 1) {
    const zones = zonesWithin(number.slice(1, 1 + length), country);
    if (zones) return zones;
  }
  return [];
}

/** The zones of a calling code, narrowed as `zonesWithin` does. */
function zonesOfCode(planned: Planned | null, country: string | null): readonly string[] | undefined {
  return planned ? zonesWithin(planned.countryCallingCode, country) : undefined;
}

/**
 * The zones of a prefix. For a calling code that several countries share: those of the country, or of the main country
 * of the code if `country` is null.
 */
function zonesWithin(prefix: string, country: string | null): readonly string[] | undefined {
  const zones = zonesByPrefix.get(prefix);
  return zones && (sharedCodes.get(prefix)?.zonesOf(country) ?? zones);
}

/** Parses {@link ZONES_BY_PREFIX}. */
function readPrefixes(text: string): Map<string, readonly string[]> {
  const read = new Map<string, readonly string[]>();
  let zones: readonly string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    if (/^\d/.test(word)) read.set(word, zones);
    else zones = word.split('&');
  }
  return read;
}

/** Parses {@link SHARED_CODES}. A number of a shared code without a known country gets the code's main country. */
function readSharedCodes(text: string) {
  const lines = text.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [code = '', main = '', ...places] = line.split(' ');
      const zones = new Map(
        places.map((place): [string, string[]] => [place.slice(0, 2), place.slice(3).split('&')]),
      );
      return [code, { zonesOf: (country: string | null) => zones.get(country ?? main) }];
    }),
  );
}
