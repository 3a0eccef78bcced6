/**
 * A text as the phrasings of a language file are matched with it: lower-case words without accents or punctuation, each
 * followed by a blank. Empty without words. (English rules use `wordsOf` and `toMatchText` instead.)
 */
export function plainText(text: string): string {
  const words = withoutAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words === '' ? '' : `${words} `;
}

/** Letters without accents; "ß" becomes "ss". */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss');
}
