import type { CallLanguage } from '#language/languages/call-language.js';
import type { Language, Sentences } from '#language/languages/language.js';
import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';

/*
 * The playbook module reads English by rules, and all other languages by word lists (`Language`). These functions
 * decide which of the two a call needs at present.
 */

/** The language of a call, which may change during it; English if missing. */
export interface WithCallLanguage {
  language?: CallLanguage;
}

/** The present language of the call if it is read by word lists; null for English, which is read by rules. */
export function wordListLanguage({ language }: WithCallLanguage): Language | null {
  return language === undefined || language.current.code === 'en' ? null : language.current;
}

/** The agent's standard sentences in the present language of the call. */
export function standardSentences({ language }: WithCallLanguage): Sentences {
  return (language?.current ?? DEFAULT_LANGUAGES.forTag('en')).sentences;
}
