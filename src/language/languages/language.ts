import { isSaid, phrasings, type Phrasing, type WordClasses } from '#language/phrasing.js';
import type { LanguageFile } from './language-file.js';
import { plainText, withoutAccents } from './plain-text.js';

export type Sentences = LanguageFile['sentences'];
export type WishKind = Exclude<keyof LanguageFile['wishes'], 'fillers'>;
/** The phrasings of one part, compiled. */
type Compiled<Group extends object> = Readonly<Record<Exclude<keyof Group, 'classes'>, Phrasing | null>>;

/** Priority of wishes if a text contains several. */
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

export interface SaidWish {
  kind: WishKind;
  /** The rest of the text, as `plainText` writes it. */
  beside: string;
  /** Number of words in the rest that are no fillers. */
  wordsBeside: number;
  /** True if only fillers follow the wish. */
  isLast: boolean;
}

/** One language of the service: its sentences, and matchers of its lists, which are compiled at first use. */
export class Language {
  readonly code: string;
  readonly usualTag: string;
  readonly sentences: Sentences;
  readonly file: LanguageFile;
  readonly #made = new Map<keyof LanguageFile, unknown>();

  constructor(file: LanguageFile) {
    this.file = file;
    this.code = file.language;
    this.usualTag = file.usual_tag;
    this.sentences = file.sentences;
  }

  /** The wish in a text; null if there is none. A do-not-call wish has the highest priority. */
  wishIn(text: string): SaidWish | null {
    const said = plainText(text);
    const ways = this.ways('wishes');
    const kind = WISHES.find((one) => isIn(ways[one], said));
    if (kind === undefined) return null;
    const end = Math.max(...[...said.matchAll(ways[kind]!)].map((match) => match.index + match[0].length));
    const beside = without(said, ways[kind]);
    return {
      kind,
      beside,
      wordsBeside: countWords(without(beside, ways.fillers)),
      isLast: countWords(without(said.slice(end), ways.fillers)) === 0,
    };
  }

  /** True if the text may be a do-not-call wish. */
  mayForbidCalls(text: string): boolean {
    const said = plainText(text);
    const { do_not_call, perhaps_do_not_call } = this.ways('wishes');
    return isIn(do_not_call, said) || isIn(perhaps_do_not_call, said);
  }

  forbidsCalls(text: string): boolean {
    return isIn(this.ways('wishes').do_not_call, plainText(text));
  }

  /**
   * A yes or a no, if only one of them is meant; `unsure` for a maybe. A longer phrase takes precedence over its parts.
   */
  answerIn(text: string): 'yes' | 'no' | 'unsure' | null {
    const said = plainText(text);
    const { yes, no, unsure } = this.ways('answers');
    if (isIn(unsure, said)) return 'unsure';
    const found = [...matchesOf('yes', yes, said), ...matchesOf('no', no, said)];
    const outer = found.filter((one) => !found.some((other) => other !== one && contains(other, one)));
    const meanings = new Set(outer.map(({ meaning }) => meaning));
    return meanings.size === 1 ? outer[0]!.meaning : null;
  }

  /** Number of words in a text that are neither a yes, a no, nor fillers. */
  wordsBesideAnswer(text: string): number {
    const { yes, no } = this.ways('answers');
    const rest = without(without(plainText(text), no), yes);
    return countWords(without(rest, this.ways('wishes').fillers));
  }

  /** The phrasings of one part of the file, compiled for `plainText`; null for an empty list. */
  ways<Part extends 'wishes' | 'answers' | 'machines' | 'moments'>(part: Part): Compiled<LanguageFile[Part]> {
    const made = this.#made.get(part) ?? compiled(this.file[part]);
    this.#made.set(part, made);
    return made as Compiled<LanguageFile[Part]>;
  }
}

/**
 * Compiles every list of a file to check its notation.
 * @throws Error that names the list
 */
export function checkWays(file: LanguageFile): void {
  for (const part of ['wishes', 'answers', 'machines', 'moments'] as const) compiled(file[part]);
}

function compiled(group: object): Record<string, Phrasing | null> {
  const { classes = {}, ...lists } = group as { classes?: WordClasses } & Record<string, string[]>;
  const plainClasses = Object.fromEntries(
    Object.entries(classes).map(([name, way]) => [name, plainWay(way)]),
  );
  const says = phrasings(plainClasses);
  return Object.fromEntries(
    Object.entries(lists).map(([name, ways]) => {
      try {
        return [name, ways.length === 0 ? null : says(...ways.map(plainWay))];
      } catch (error) {
        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
      }
    }),
  );
}

/** A phrasing in the letters of `plainText`. */
function plainWay(way: string): string {
  return withoutAccents(way).toLowerCase().replace(/['’-]/g, ' ');
}

const isIn = (ways: Phrasing | null, said: string) => ways !== null && isSaid(ways, said);
const without = (said: string, ways: Phrasing | null) => (ways === null ? said : said.replace(ways, ''));
const countWords = (said: string) => said.split(' ').filter((word) => word !== '').length;

interface Match {
  meaning: 'yes' | 'no';
  start: number;
  end: number;
}

function matchesOf(meaning: Match['meaning'], ways: Phrasing | null, said: string): Match[] {
  if (ways === null) return [];
  return [...said.matchAll(ways)].map((match) => ({
    meaning,
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** True if one phrase is a shorter part of another. */
function contains(outer: Match, inner: Match): boolean {
  const isLonger = outer.end - outer.start > inner.end - inner.start;
  return isLonger && outer.start <= inner.start && outer.end >= inner.end;
}
