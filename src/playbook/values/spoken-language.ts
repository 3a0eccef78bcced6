import type { CallLanguage } from '#language/languages/call-language.js';
import type { Language, Sentences } from '#language/languages/language.js';
import { USUAL_LANGUAGES } from '#language/languages/languages.js';

/** The language that is spoken in a call; English where it is not said. */
export interface Spoken {
  language?: CallLanguage;
}

/** The language that is spoken, where it is read by its lists; null for English, which is read by rules. */
export function listsOf({ language }: Spoken): Language | null {
  return language === undefined || language.current.code === 'en' ? null : language.current;
}

/** What the agent says by itself. */
export function sentencesOf({ language }: Spoken): Sentences {
  return (language?.current ?? USUAL_LANGUAGES.of('en')).sentences;
}
