/**
 * Lower-case words without accents or punctuation, each followed by a blank: the form that phrasings are matched with.
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
