import { matches, phrasingCompiler, type Phrasing, type WordClasses } from '#language/phrasing.js';
import type { LanguageFile } from './language-file.js';
import { plainText, withoutAccents } from './plain-text.js';

/** The sentences of the agent by name. */
export type Sentences = LanguageFile['sentences'];
/** The kinds of wishes of callers, such as an opt-out or a request to wait; each has a list in `wishes`. */
export type WishKind = Exclude<keyof LanguageFile['wishes'], 'fillers'>;
/** The compiled lists of one part of a language file, by name; null for an empty list. */
type Compiled<Group extends object> = Readonly<Record<Exclude<keyof Group, 'classes'>, Phrasing | null>>;

/**
 * The wishes that `wishIn` looks for, in the order of their priority if a text contains several. `perhaps_do_not_call`
 * is missing: only `mayForbidCalls` looks for it.
 */
const WISHES: readonly WishKind[] = [
  'do_not_call',
  'wrong_number',
  'who',
  'person',
  'later',
  'hold',
  'repeat',
  'goodbye',
];

/** A wish of a caller found in a text. */
export interface FoundWish {
  kind: WishKind;
  /** The text without the wish, as `plainText` writes it. */
  rest: string;
  /** The number of words in the rest that are no fillers. */
  otherWords: number;
  /** True if only fillers follow the wish. */
  isLast: boolean;
}

/**
 * One language of the service: its sentences, and matchers for its lists of phrases, which are compiled at first use.
 * The playbook module reads callers with it. In English it only finds phrases that an operator has added, because the
 * other rules are in code. The answering-machine detection uses it in all languages.
 */
export class Language {
  readonly code: string;
  /** The BCP 47 tag for voices when no region is given, such as `de-DE`. */
  readonly usualTag: string;
  readonly sentences: Sentences;
  readonly file: LanguageFile;
  readonly #compiled = new Map<keyof LanguageFile, unknown>();

  constructor(file: LanguageFile) {
    this.file = file;
    this.code = file.language;
    this.usualTag = file.usual_tag;
    this.sentences = file.sentences;
  }

  /** The wish in a text; null if there is none. An opt-out has the highest priority. */
  wishIn(text: string): FoundWish | null {
    const said = plainText(text);
    const phrasings = this.phrasings('wishes');
    const kind = WISHES.find((wish) => isIn(phrasings[wish], said));
    if (kind === undefined) return null;
    const end = Math.max(
      ...[...said.matchAll(phrasings[kind]!)].map((match) => match.index + match[0].length),
    );
    const rest = without(said, phrasings[kind]);
    return {
      kind,
      rest,
      otherWords: countWords(without(rest, phrasings.fillers)),
      isLast: countWords(without(said.slice(end), phrasings.fillers)) === 0,
    };
  }

  /** True if the text is an opt-out, or may be one so that the agent should ask. */
  mayForbidCalls(text: string): boolean {
    const said = plainText(text);
    const { do_not_call, perhaps_do_not_call } = this.phrasings('wishes');
    return isIn(do_not_call, said) || isIn(perhaps_do_not_call, said);
  }

  /** True if the text is a plain opt-out. */
  forbidsCalls(text: string): boolean {
    return isIn(this.phrasings('wishes').do_not_call, plainText(text));
  }

  /**
   * The yes or no in a text; `unsure` if it has a maybe, whatever else it says. Null for neither yes nor no, and for
   * both. A longer phrase takes precedence over its parts: "no problem" is no "no".
   */
  answerIn(text: string): 'yes' | 'no' | 'unsure' | null {
    const said = plainText(text);
    const { yes, no, unsure } = this.phrasings('answers');
    if (isIn(unsure, said)) return 'unsure';
    const found = [...matchesOf('yes', yes, said), ...matchesOf('no', no, said)];
    const outer = found.filter((match) => !found.some((other) => other !== match && contains(other, match)));
    const meanings = new Set(outer.map(({ meaning }) => meaning));
    return meanings.size === 1 ? outer[0]!.meaning : null;
  }

  /** The number of words in a text that are neither a yes, a no, nor fillers. */
  wordsBesideAnswer(text: string): number {
    const { yes, no } = this.phrasings('answers');
    const rest = without(without(plainText(text), no), yes);
    return countWords(without(rest, this.phrasings('wishes').fillers));
  }

  /** The lists of one part of the file, compiled to match texts of the form of `plainText`; null for an empty list. */
  phrasings<Part extends 'wishes' | 'answers' | 'machines' | 'moments'>(
    part: Part,
  ): Compiled<LanguageFile[Part]> {
    const compiledPart = this.#compiled.get(part) ?? compileLists(this.file[part]);
    this.#compiled.set(part, compiledPart);
    return compiledPart as Compiled<LanguageFile[Part]>;
  }
}

/**
 * Checks the notation of a language file from an operator (`languages-folder.ts`), by compiling every list.
 * @throws Error that names the list with a wrong pattern
 */
export function checkPatterns(file: LanguageFile): void {
  for (const part of ['wishes', 'answers', 'machines', 'moments'] as const) compileLists(file[part]);
}

/** Compiles the lists of one part, with its own word classes. */
function compileLists(group: object): Record<string, Phrasing | null> {
  const { classes = {}, ...lists } = group as { classes?: WordClasses } & Record<string, string[]>;
  const classPatterns = Object.fromEntries(
    Object.entries(classes).map(([name, pattern]) => [name, plainPattern(pattern)]),
  );
  const compile = phrasingCompiler(classPatterns);
  return Object.fromEntries(
    Object.entries(lists).map(([name, patterns]) => {
      try {
        return [name, patterns.length === 0 ? null : compile(...patterns.map(plainPattern))];
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    }),
  );
}

/** A pattern in the letters of `plainText`, so that it matches texts of that form. */
function plainPattern(pattern: string): string {
  return withoutAccents(pattern).toLowerCase().replace(/['’-]/g, ' ');
}

// Texts in the form of `plainText`.
const isIn = (phrasing: Phrasing | null, said: string) => phrasing !== null && matches(phrasing, said);
const without = (said: string, phrasing: Phrasing | null) =>
  phrasing === null ? said : said.replace(phrasing, '');
const countWords = (said: string) => said.split(' ').filter((word) => word !== '').length;

/** A phrase of yes or no at its place in a text, in characters. */
interface Match {
  meaning: 'yes' | 'no';
  start: number;
  end: number;
}

/** Every phrase of one meaning in a text. */
function matchesOf(meaning: Match['meaning'], phrasing: Phrasing | null, said: string): Match[] {
  if (phrasing === null) return [];
  return [...said.matchAll(phrasing)].map((match) => ({
    meaning,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** True if the inner phrase is a shorter part of the outer one. */
function contains(outer: Match, inner: Match): boolean {
  const isLonger = outer.end - outer.start > inner.end - inner.start;
  return isLonger && outer.start <= inner.start && outer.end >= inner.end;
}
