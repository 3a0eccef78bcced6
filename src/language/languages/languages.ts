import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { italian } from './italian.js';
import { Language } from './language.js';
import type { LanguageFile } from './language-file.js';
import { portuguese } from './portuguese.js';
import { spanish } from './spanish.js';

/** The built-in languages. */
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

/** The languages for which the service has phrases. */
export class Languages {
  readonly #byCode: ReadonlyMap<string, Language>;
  readonly #english: Language;

  constructor(files: readonly LanguageFile[] = BUILT_IN_LANGUAGES) {
    this.#byCode = new Map(files.map((file) => [file.language, new Language(file)]));
    this.#english = this.#byCode.get('en') ?? new Language(english);
  }

  /** The language of a tag; English for a language without phrases. */
  of(tag: string): Language {
    return this.#byCode.get(codeOf(tag)) ?? this.#english;
  }

  has(tag: string): boolean {
    return this.#byCode.has(codeOf(tag));
  }

  /** The language codes, in order. */
  get codes(): string[] {
    return [...this.#byCode.keys()];
  }
}

/** The built-in languages. */
export const USUAL_LANGUAGES = new Languages();

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });

/** The English name of a language by its tag: "German", "Spanish (Mexico)". */
export function nameOfLanguage(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/**
 * Finds a recogniser's language among some tags: recognisers report a tag, or an English name such as "spanish". Null
 * if none matches.
 */
export function tagOfTold(language: string, among: readonly string[]): string | null {
  const told = language.trim().toLowerCase();
  const code = codeOf(told.replace('_', '-'));
  return (
    among.find((tag) => codeOf(tag) === code || nameOfLanguage(codeOf(tag)).toLowerCase() === told) ?? null
  );
}
