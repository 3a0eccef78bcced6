import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { italian } from './italian.js';
import { Language } from './language.js';
import type { LanguageFile } from './language-file.js';
import { portuguese } from './portuguese.js';
import { spanish } from './spanish.js';

/** The files of the built-in languages. */
export const BUILT_IN_LANGUAGES: readonly LanguageFile[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
];

/** The language code in a tag such as `de-AT`. */
export function codeOf(tag: string): string {
  return tag.split('-', 1)[0]!.toLowerCase();
}

/**
 * The languages for which the service has sentences and phrases, by language code. Dialogue managers, agent warnings
 * and carrier webhooks, among others, look up a language here.
 */
export class Languages {
  readonly #byCode: ReadonlyMap<string, Language>;
  readonly #english: Language;

  constructor(files: readonly LanguageFile[] = BUILT_IN_LANGUAGES) {
    this.#byCode = new Map(files.map((file) => [file.language, new Language(file)]));
    this.#english = this.#byCode.get('en') ?? new Language(english);
  }

  /** The language of a BCP 47 tag; English for a language without phrases. */
  forTag(tag: string): Language {
    return this.#byCode.get(codeOf(tag)) ?? this.#english;
  }

  /** True if the service has phrases for the language of a tag. */
  has(tag: string): boolean {
    return this.#byCode.has(codeOf(tag));
  }

  /** The codes of all languages, the built-in ones first. */
  get codes(): string[] {
    return [...this.#byCode.keys()];
  }
}

/** The built-in languages alone, for code that does not know the operator's `LANGUAGES_DIR`. */
export const DEFAULT_LANGUAGES = new Languages();

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });

/** The English name of a language by its tag: "German", "Spanish (Mexico)"; the tag itself if it has no name. */
export function nameOfLanguage(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/**
 * The tag in a list that matches a language reported by a recogniser: a tag such as `es_MX`, or an English name such as
 * "spanish". Null if none matches.
 */
export function matchLanguageTag(language: string, tags: readonly string[]): string | null {
  const reported = language.trim().toLowerCase();
  const code = codeOf(reported.replace('_', '-'));
  return (
    tags.find((tag) => codeOf(tag) === code || nameOfLanguage(codeOf(tag)).toLowerCase() === reported) ?? null
  );
}
