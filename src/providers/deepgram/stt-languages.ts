/** The languages of Deepgram's recognisers, in Deepgram's codes. Used by `deepgramStt` and `novaDialect`. */

/** Language tags with a region that Deepgram accepts; other tags are sent without their region. */
const REGIONS: ReadonlySet<string> = new Set([
  'en-US',
  'en-GB',
  'en-AU',
  'en-IN',
  'en-NZ',
  'de-CH',
  'fr-CA',
  'es-419',
  'pt-BR',
  'pt-PT',
  'nl-BE',
]);

/** Nova's code for a call in which several languages may be spoken; the results then name the spoken one. */
export const SEVERAL_LANGUAGES = 'multi';

/** The language code for nova, from a language tag: `en-GB` → `en-GB`, `de-AT` → `de`. */
export function novaLanguage(tag: string): string {
  return REGIONS.has(tag) ? tag : tag.split('-')[0]!.toLowerCase();
}

/** Codes of the languages that the listing of Deepgram's recognisers names (`GET /api/providers`). */
export const DEEPGRAM_LANGUAGES: readonly string[] = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'hi',
  'ja',
  'ru',
];
