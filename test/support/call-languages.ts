import { CallLanguage } from '#language/languages/call-language.js';
import { USUAL_LANGUAGES } from '#language/languages/languages.js';

/** The language of a call with these languages to change to. */
export function speaking(tag: string, ...others: string[]): CallLanguage {
  return new CallLanguage(USUAL_LANGUAGES, tag, others);
}
