/** Tags with a region that Deepgram knows of; others are asked for by their language alone. */
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

/** What nova takes for several languages in one call; its words then tell theirs. */
export const SEVERAL_LANGUAGES = 'multi';

/** The language as nova takes it. */
export function novaLanguage(tag: string): string {
  return REGIONS.has(tag) ? tag : tag.split('-')[0]!.toLowerCase();
}

/** The languages of nova and Flux that callers are met with, as first letters of their tags. */
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
