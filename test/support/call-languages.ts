import { CallLanguage } from '#language/languages/call-language.js';
import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';

/** The language of a call with these languages to change to. */
export function speaking(tag: string, ...others: string[]): CallLanguage {
  return new CallLanguage(DEFAULT_LANGUAGES, tag, others);
}
