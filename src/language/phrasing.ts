/**
 * A phrasing: a pattern of spoken words, in this notation:
 *
 * - `(do not|never)` one of several, `[please]` optional, `(just|even)*` any of them in any order, or none
 * - `<call>` any word or phrase of the class of that name, whose phrases use the same notation
 * - `_` any one word, `_s` one that ends with an s, `#` one that begins with a digit
 * - `calls?` with or without its last letter
 * - `!(back)` not followed by the word, `&(back)` followed by the word, which is not part of the match
 * - `^` the beginning, `$` the end of the text
 *
 * Phrasings are matched with the result of {@link spoken}, and only with whole words.
 */
export type Phrasing = RegExp;

/** Classes of words by name: `{ call: 'call|ring|phone' }`. */
export type WordClasses = Readonly<Record<string, string>>;

const TOKENS = /<\w+>|[!&]\(|_s|[()[\]|*^$_#]|[^\s()[\]|*^$_#<>!&]+/g;
/** Repetitions are limited, because an unlimited search for their end takes long. */
const SOME = '{0,8}';
const MARKS: Readonly<Record<string, string>> = {
  '(': '(?:',
  ')': ')',
  '[': '(?:',
  ']': ')?',
  '!(': '(?!',
  '&(': '(?=',
  '|': '|',
  '*': SOME,
  '^': '^',
  $: '$',
  _: '(?:[^ ]+ )',
  _s: '[^ ]{3,}s ',
  '#': '(?:\\d[^ ]* )',
};

/** Returns a compiler of phrasings; several phrasings are alternatives. */
export function phrasings(classes: WordClasses): (...ways: readonly string[]) => Phrasing {
  const sourceOf = (way: string): string =>
    (way.match(TOKENS) ?? [])
      .map((token) => MARKS[token] ?? (token.startsWith('<') ? classOf(token.slice(1, -1)) : `${token} `))
      .join('');
  const classOf = (name: string): string => {
    const phrases = classes[name];
    if (phrases === undefined) throw new Error(`there is no class of words <${name}>`);
    return `(?:${sourceOf(phrases)})`;
  };
  return (...ways) => new RegExp(`(?<![^ ])(?:${ways.map(sourceOf).join('|')})`, 'g');
}

/** Words in the form that phrasings are matched with: each is followed by a blank. */
export function spoken(words: readonly string[]): string {
  return words.map((word) => `${word} `).join('');
}

/** True if the text contains one of these phrasings. */
export function isSaid(ways: Phrasing, said: string): boolean {
  return said.search(ways) >= 0;
}
