import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { italian } from './italian.js';
import { Language } from './language.js';
import type { LanguageFile } from './language-file.js';
import { portuguese } from './portuguese.js';
import { spanish } from './spanish.js';

/** The languages that the service comes with. */
export const BUILT_IN_LANGUAGES: readonly LanguageFile[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
];

/** The letters of a language in a tag such as `de-AT`. */
export function codeOf(tag: string): string {
  return tag.split('-', 1)[0]!.toLowerCase();
}

/** The languages that the service has phrases for. */
export class Languages {
  readonly #byCode: ReadonlyMap<string, Language>;
  readonly #english: Language;

  constructor(files: readonly LanguageFile[] = BUILT_IN_LANGUAGES) {
    this.#byCode = new Map(files.map((file) => [file.language, new Language(file)]));
    this.#english = this.#byCode.get('en') ?? new Language(english);
  }

  /** The language of a tag; English for one without phrases. */
  of(tag: string): Language {
    return this.#byCode.get(codeOf(tag)) ?? this.#english;
  }

  has(tag: string): boolean {
    return this.#byCode.has(codeOf(tag));
  }

  /** Their letters, in order. */
  get codes(): string[] {
    return [...this.#byCode.keys()];
  }
}

/** Those that the service comes with. */
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
 * Which of some languages a recogniser means: it tells a tag, or an English name such as "spanish". Null for none of
 * them.
 */
export function tagOfTold(language: string, among: readonly string[]): string | null {
  const told = language.trim().toLowerCase();
  const code = codeOf(told.replace('_', '-'));
  return (
    among.find((tag) => codeOf(tag) === code || nameOfLanguage(codeOf(tag)).toLowerCase() === told) ?? null
  );
}
