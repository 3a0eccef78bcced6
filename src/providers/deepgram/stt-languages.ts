/** Tags with a region that Deepgram accepts; other tags are sent as the language alone. */
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

/** Nova's code for several languages in one call; each word then has its language. */
export const SEVERAL_LANGUAGES = 'multi';

/** The language code for nova. */
export function novaLanguage(tag: string): string {
  return REGIONS.has(tag) ? tag : tag.split('-')[0]!.toLowerCase();
}

/** Codes of the languages of nova and Flux. */
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
