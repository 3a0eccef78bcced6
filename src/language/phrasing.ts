/**
 * Ways of saying something, written as people say them, for rules that read what was said:
 *
 * - `(do not|never)` one of several, `[please]` with or without, `(just|even)*` some of them in any order, or none
 * - `<call>` any word or phrase of the class of that name, whose phrases may be written in the same way
 * - `_` any one word, `_s` one that ends with an s, `#` one that begins with a digit
 * - `calls?` with or without its last letter
 * - `!(back)` not followed by that, `&(back)` followed by that, which is not taken with it
 * - `^` the beginning, `$` the end of what was said
 *
 * They are matched with what {@link spoken} makes of words, and only ever with whole ones.
 */
export type Phrasing = RegExp;

/** Classes of words by name: `{ call: 'call|ring|phone' }`. */
export type WordClasses = Readonly<Record<string, string>>;

const TOKENS = /<\w+>|[!&]\(|_s|[()[\]|*^$_#]|[^\s()[\]|*^$_#<>!&]+/g;
/** Some, but never so many that trying where they end takes long. */
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

/** Gives a reader of such ways; several of them are alternatives of each other. */
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

/** Words as phrasings are matched with them: each is followed by a blank. */
export function spoken(words: readonly string[]): string {
  return words.map((word) => `${word} `).join('');
}

/** Whether something is said in one of these ways. */
export function isSaid(ways: Phrasing, said: string): boolean {
  return said.search(ways) >= 0;
}
