/**
 * A pattern of spoken words, compiled to a global regular expression. The rules that understand callers and answering
 * machines, and those of the analysis after a call, are written as phrasings. `phrasingCompiler` compiles this
 * notation:
 *
 * - `(do not|never)` one of several, `[please]` optional, `(just|even)*` up to eight of them in any order, or none
 * - `<call>` any word or phrase of the class of that name, whose phrases use the same notation
 * - `_` any one word, `_s` a word of four letters or more that ends with an s, `#` a word that begins with a digit
 * - `calls?` with or without its last letter
 * - `!(back)` not followed by the word, `&(back)` followed by the word, which is not part of the match
 * - `^` the beginning, `$` the end of the text
 *
 * Phrasings match texts of the form of {@link toMatchText}, and only whole words.
 */
export type Phrasing = RegExp;

/** Classes of words by name: `{ call: 'call|ring|phone' }`. */
export type WordClasses = Readonly<Record<string, string>>;

/** Splits a pattern into marks of the notation and words. */
const TOKENS = /<\w+>|[!&]\(|_s|[()[\]|*^$_#]|[^\s()[\]|*^$_#<>!&]+/g;
/** The regular expression for `*`. Repetitions are limited, because an unlimited search can take long. */
const REPEATED = '{0,8}';
/** The regular expression for each mark of the notation. */
const REGEX_OF_TOKEN: Readonly<Record<string, string>> = {
  '(': '(?:',
  ')': ')',
  '[': '(?:',
  ']': ')?',
  '!(': '(?!',
  '&(': '(?=',
  '|': '|',
  '*': REPEATED,
  '^': '^',
  $: '$',
  _: '(?:[^ ]+ )',
  _s: '[^ ]{3,}s ',
  '#': '(?:\\d[^ ]* )',
};

/**
 * Returns a function that compiles patterns to a {@link Phrasing}; several patterns are alternatives.
 * @param classes the words of each `<name>` in the patterns
 * @throws Error from the returned function, for a class that does not exist
 */
export function phrasingCompiler(classes: WordClasses): (...patterns: readonly string[]) => Phrasing {
  /** The source of the regular expression for a pattern. */
  const sourceOf = (pattern: string): string =>
    (pattern.match(TOKENS) ?? [])
      .map(
        (token) =>
          REGEX_OF_TOKEN[token] ?? (token.startsWith('<') ? classOf(token.slice(1, -1)) : `${token} `),
      )
      .join('');
  const classOf = (name: string): string => {
    const phrases = classes[name];
    if (phrases === undefined) throw new Error(`there is no class of words <${name}>`);
    return `(?:${sourceOf(phrases)})`;
  };
  // A match begins at the beginning of a word.
  return (...patterns) => new RegExp(`(?<![^ ])(?:${patterns.map(sourceOf).join('|')})`, 'g');
}

/** Words as one text in the form that phrasings match: each word is followed by a blank. */
export function toMatchText(words: readonly string[]): string {
  return words.map((word) => `${word} `).join('');
}

/**
 * True if a text contains a phrasing.
 * @param said a text of the form of {@link toMatchText}
 */
export function matches(phrasing: Phrasing, said: string): boolean {
  // Unlike `test`, `search` ignores the position that a global expression keeps.
  return said.search(phrasing) >= 0;
}
