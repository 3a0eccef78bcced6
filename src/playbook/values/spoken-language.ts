import type { CallLanguage } from '#language/languages/call-language.js';
import type { Language, Sentences } from '#language/languages/language.js';
import { USUAL_LANGUAGES } from '#language/languages/languages.js';

/** The language of a call; default English. */
export interface Spoken {
  language?: CallLanguage;
}

/** The language of the call if it is read by word lists; null for English, which has rules. */
export function listsOf({ language }: Spoken): Language | null {
  return language === undefined || language.current.code === 'en' ? null : language.current;
}

/** The agent's standard sentences. */
export function sentencesOf({ language }: Spoken): Sentences {
  return (language?.current ?? USUAL_LANGUAGES.of('en')).sentences;
}
